/**
 * Answers of searches, and how they were found: every rate and every number that was tried. Read
 * {@link weir.report.search.SearchSection} first. Sections of the report like all others: they see the folder and nothing else.
 */
@NullMarked
package weir.report.search;

import org.jspecify.annotations.NullMarked;

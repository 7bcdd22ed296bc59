/**
 * Profiles in the report: a section, and beside it a page for each flame graph. Read
 * {@code ProfileSection} first.
 */
@NullMarked
package weir.report.profile;

import org.jspecify.annotations.NullMarked;

/**
 * The cost of the processes of a run: CPU, memory, open files. Read {@link weir.report.process.ProcessSection} first. Sections
 * of the report like all others: they see the folder and nothing else.
 */
@NullMarked
package weir.report.process;

import org.jspecify.annotations.NullMarked;

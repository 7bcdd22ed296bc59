/**
 * Experiment files from the files and commands of other tools, and runs from their results: {@code weir import}. Read
 * {@code Translation} and {@code ImportedRun} first. The rows of each tool are in its YAML file among the resources.
 */
@NullMarked
package weir.feature.imports;

import org.jspecify.annotations.NullMarked;

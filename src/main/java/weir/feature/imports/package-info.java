/**
 * Experiment files from the files and commands of other tools: {@code weir import}. Read {@code Translation} first. The
 * rows of each tool are in its YAML file among the resources.
 */
@NullMarked
package weir.feature.imports;

import org.jspecify.annotations.NullMarked;

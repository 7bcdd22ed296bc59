/** The environment of a run: time, clusters, workers and probes. Read {@code Lab} first. */
@NullMarked
package weir.run.lab;

import org.jspecify.annotations.NullMarked;

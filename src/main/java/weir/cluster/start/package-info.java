/**
 * The kinds of cluster and how they come up. Read {@code EmbeddedCluster} first.
 * Starts processes and writes their files; whoever only uses a cluster needs {@code weir.cluster} alone.
 */
@NullMarked
package weir.cluster.start;

import org.jspecify.annotations.NullMarked;

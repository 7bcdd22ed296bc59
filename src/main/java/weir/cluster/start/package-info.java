/**
 * The kinds of clusters and how they start. Read {@code EmbeddedCluster} first. The package starts processes and writes
 * their files. Code that uses a running cluster needs only {@code weir.cluster}.
 */
@NullMarked
package weir.cluster.start;

import org.jspecify.annotations.NullMarked;

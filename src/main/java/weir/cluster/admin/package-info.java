/** Questions and requests to a cluster's admin interface: topics, groups, offsets, properties. */
@NullMarked
package weir.cluster.admin;

import org.jspecify.annotations.NullMarked;

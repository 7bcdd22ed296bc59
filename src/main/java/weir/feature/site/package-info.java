/**
 * A static site of published results: {@code weir site}. Read {@link weir.feature.site.SiteCommand} first. Only results
 * with the same key share an axis. The package starts no run and needs no server.
 */
@NullMarked
package weir.feature.site;

import org.jspecify.annotations.NullMarked;

/**
 * Lines of plane positions, for use as message values: {@code weir planes}. Read {@code PlanesCommand} first. It
 * contacts no cluster.
 */
@NullMarked
package weir.feature.planes;

import org.jspecify.annotations.NullMarked;

/** {@code weir planes}, which prints positions of planes without a cluster. Read {@code PlanesCommand} first. */
@NullMarked
package weir.feature.planes;

import org.jspecify.annotations.NullMarked;

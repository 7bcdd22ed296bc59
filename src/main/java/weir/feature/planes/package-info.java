/** Lines of plane positions: {@code weir planes}. Read {@code PlanesCommand} first. It contacts no cluster. */
@NullMarked
package weir.feature.planes;

import org.jspecify.annotations.NullMarked;

/** Lines of plane positions as values: {@code weir planes}. Read {@code PlanesCommand} first. Weir uses no cluster. */
@NullMarked
package weir.feature.planes;

import org.jspecify.annotations.NullMarked;

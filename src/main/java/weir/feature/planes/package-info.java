/** Lines of plane positions as values: {@code weir planes}. */
@NullMarked
package weir.feature.planes;

import org.jspecify.annotations.NullMarked;

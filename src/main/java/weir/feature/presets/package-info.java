/** Client settings by goal: {@code weir presets}. */
@NullMarked
package weir.feature.presets;

import org.jspecify.annotations.NullMarked;

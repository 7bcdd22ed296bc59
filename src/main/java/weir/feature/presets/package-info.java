/** Client settings by goal: {@code weir presets}. Read {@code Preset} first. Weir changes no given cluster. */
@NullMarked
package weir.feature.presets;

import org.jspecify.annotations.NullMarked;

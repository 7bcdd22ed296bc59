/** Client settings by goal: {@code weir presets}. Read {@code Preset} first. A preset changes no external broker. */
@NullMarked
package weir.feature.presets;

import org.jspecify.annotations.NullMarked;

/**
 * The goals that Kafka is tuned for: their settings beside defaults, your own and those of a cluster. Read
 * {@link weir.cli.preset.PresetsCommand} first. It changes nothing.
 */
@NullMarked
package weir.cli.preset;

import org.jspecify.annotations.NullMarked;

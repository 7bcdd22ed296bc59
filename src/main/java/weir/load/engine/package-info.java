/**
 * The ports through which a load reaches Kafka. Read {@code Engine} first; an engine implements the ports that it supports.
 * Knows no engine.
 */
@NullMarked
package weir.load.engine;

import org.jspecify.annotations.NullMarked;

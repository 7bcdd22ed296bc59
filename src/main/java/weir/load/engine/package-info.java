/**
 * The interfaces between a load and an engine: sending, reading, and the view of the log. Read {@code Engine} first.
 * An engine implements the interfaces that it supports. This package does not depend on any engine.
 */
@NullMarked
package weir.load.engine;

import org.jspecify.annotations.NullMarked;

/**
 * The engine that is the real Java client, with any of its properties.
 * What applications see. Read {@code ClientEngine} first.
 */
@NullMarked
package weir.load.client;

import org.jspecify.annotations.NullMarked;

/** The engine that is the real Java client, with any of its properties, as applications see it. Read {@code ClientEngine} first. */
@NullMarked
package weir.load.client;

import org.jspecify.annotations.NullMarked;

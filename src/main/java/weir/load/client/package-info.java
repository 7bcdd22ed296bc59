/** The engine of the Java clients, as applications use them. Read {@code ClientEngine} first. */
@NullMarked
package weir.load.client;

import org.jspecify.annotations.NullMarked;

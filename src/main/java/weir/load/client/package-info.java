/** The engine of the Java clients, with any of their properties, as applications use them. Read {@code ClientEngine} first. */
@NullMarked
package weir.load.client;

import org.jspecify.annotations.NullMarked;

/**
 * The load of a trial, independent of its engine. Read {@code Load} first. The package does not depend on its engines.
 */
@NullMarked
package weir.load;

import org.jspecify.annotations.NullMarked;

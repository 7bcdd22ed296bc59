/**
 * The load of a trial, independent of its engine. Read {@code Load} first. This package does not depend on any engine;
 * engines are in the packages below it.
 */
@NullMarked
package weir.load;

import org.jspecify.annotations.NullMarked;

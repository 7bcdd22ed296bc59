/**
 * The load of a trial, independent of its engine. Read {@code Load} first.
 * Never knows which engine it runs on; engines live in the packages below.
 */
@NullMarked
package weir.load;

import org.jspecify.annotations.NullMarked;

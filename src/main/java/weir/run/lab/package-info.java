/** The hands of a run. Read {@code Lab}. */
@NullMarked
package weir.run.lab;

import org.jspecify.annotations.NullMarked;

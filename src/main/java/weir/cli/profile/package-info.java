/** The options of runs that are profiled. */
@NullMarked
package weir.cli.profile;

import org.jspecify.annotations.NullMarked;

/**
 * Profiles on disk. Read {@code ProfiledTrial} first. Stacks are kept collapsed, as other tools read them too, and are read
 * again as files that any program may have written.
 */
@NullMarked
package weir.results.profile;

import org.jspecify.annotations.NullMarked;

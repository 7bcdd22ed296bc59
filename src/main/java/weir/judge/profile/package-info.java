/**
 * The arithmetic of profiles: stacks merged into a tree, shares of frames, and what differs between two. Read
 * {@code StackTree} first. It does not know the report.
 */
@NullMarked
package weir.judge.profile;

import org.jspecify.annotations.NullMarked;

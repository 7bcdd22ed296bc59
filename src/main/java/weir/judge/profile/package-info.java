/**
 * The arithmetic of profiles: stacks merged into a tree, shares of frames, and what differs between two. Read
 * {@code StackTree} first. It knows no page.
 */
@NullMarked
package weir.judge.profile;

import org.jspecify.annotations.NullMarked;

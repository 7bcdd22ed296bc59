/**
 * Memory, CPU and disk that other processes take while a trial runs: {@code during: stress}. Read {@link
 * weir.feature.stress.Stressor} first.
 */
@NullMarked
package weir.feature.stress;

import org.jspecify.annotations.NullMarked;

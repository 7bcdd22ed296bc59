/**
 * Use of memory, CPU and disk by other processes during a trial: {@code during: stress}. Read {@link
 * weir.feature.stress.Stressor} first. It touches only its own processes and files.
 */
@NullMarked
package weir.feature.stress;

import org.jspecify.annotations.NullMarked;

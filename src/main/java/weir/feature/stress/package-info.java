/**
 * Use of memory, CPU and disk by additional processes during a trial: {@code during: stress}. Read {@link
 * weir.feature.stress.Stressor} first. A stress changes only its own processes and files.
 */
@NullMarked
package weir.feature.stress;

import org.jspecify.annotations.NullMarked;

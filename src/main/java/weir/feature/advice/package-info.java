/**
 * The checks of {@code weir doctor}: a measuring machine, brokers and their hosts, and the leftovers of killed runs.
 * Read {@code DoctorCommand} first. Only {@code --clean} changes anything.
 */
@NullMarked
package weir.feature.advice;

import org.jspecify.annotations.NullMarked;

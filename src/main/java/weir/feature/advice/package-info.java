/** Advice for a machine to measure on, for brokers and their hosts, and for what killed runs left: {@code weir doctor}. */
@NullMarked
package weir.feature.advice;

import org.jspecify.annotations.NullMarked;

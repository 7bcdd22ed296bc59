/**
 * The properties of Kafka's clients: which there are, what they take, and which values are secrets.
 * Read {@code Properties} and {@code ResolvedSecrets} first.
 */
@NullMarked
package weir.plan.property;

import org.jspecify.annotations.NullMarked;

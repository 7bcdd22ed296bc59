/**
 * The properties of Kafka's clients: their names, their accepted values, and which values are secrets.
 * Read {@code Properties} and {@code ResolvedSecrets} first.
 */
@NullMarked
package weir.plan.property;

import org.jspecify.annotations.NullMarked;

/**
 * The code that runs inside a broker's own JVM, beside any Kafka. Read {@code BrokerMain}.
 * Knows nothing but the JDK: it stands alone on a broker's class path.
 */
@NullMarked
package weir.cluster.broker;

import org.jspecify.annotations.NullMarked;

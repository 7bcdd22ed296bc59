/**
 * The code that runs inside a broker's own JVM, beside any Kafka release. Read {@code BrokerMain}.
 * Uses only the JDK, since it stands alone on a broker's class path.
 */
@NullMarked
package weir.cluster.broker;

import org.jspecify.annotations.NullMarked;

/**
 * The code that runs inside a broker's JVM together with any Kafka release. Read {@code BrokerMain}. It uses only the
 * JDK, because no other class of Weir is on a broker's class path.
 */
@NullMarked
package weir.cluster.broker;

import org.jspecify.annotations.NullMarked;

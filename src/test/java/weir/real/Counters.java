package weir.real;

import java.io.IOException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import weir.host.mbean.LocalMBeans;

/** The counts that a broker itself has of a topic. */
record Counters(long messages, long bytes) {
    static Counters of(long pid, String topic) throws Exception {
        try (LocalMBeans mbeans = LocalMBeans.of(pid)) {
            MBeanServerConnection broker = mbeans.connection();
            return new Counters(count(broker, "MessagesInPerSec", topic), count(broker, "BytesInPerSec", topic));
        }
    }

    private static long count(MBeanServerConnection broker, String name, String topic) throws Exception {
        ObjectName bean = new ObjectName("kafka.server:type=BrokerTopicMetrics,name=" + name + ",topic=" + topic);
        if (broker.getAttribute(bean, "Count") instanceof Number count) {
            return count.longValue();
        }
        throw new IOException(bean + " has no count");
    }
}

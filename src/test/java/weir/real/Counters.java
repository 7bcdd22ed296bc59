package weir.real;

import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** The counts that a broker itself has of a topic. */
record Counters(long messages, long bytes) {
    @SuppressWarnings("BanJNDI") // The address is that of the broker we started.
    static Counters of(long pid, String topic) throws Exception {
        VirtualMachine jvm = VirtualMachine.attach(Long.toString(pid));
        try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(jvm.startLocalManagementAgent()))) {
            MBeanServerConnection broker = connector.getMBeanServerConnection();
            return new Counters(count(broker, "MessagesInPerSec", topic), count(broker, "BytesInPerSec", topic));
        } finally {
            jvm.detach();
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

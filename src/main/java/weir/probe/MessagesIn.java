package weir.probe;

import java.io.IOException;
import java.util.Collection;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import weir.host.mbean.LocalMBeans;

/** The records that a broker counted as they came into partitions that it led, by topic. */
public final class MessagesIn {
    private static final String BEAN = "kafka.server:type=BrokerTopicMetrics,name=MessagesInPerSec,topic=";

    private MessagesIn() {}

    /** Since these topics are there; a broker that never led one of them counted nothing. */
    public static long of(long pid, Collection<String> topics) throws IOException {
        long sum = 0;
        try (LocalMBeans mbeans = LocalMBeans.of(pid)) {
            MBeanServerConnection broker = mbeans.connection();
            for (String topic : topics) {
                sum += count(broker, topic);
            }
        }
        return sum;
    }

    private static long count(MBeanServerConnection broker, String topic) throws IOException {
        try {
            return broker.getAttribute(BrokerFigure.name(BEAN + topic), "Count") instanceof Number count
                    ? count.longValue()
                    : 0;
        } catch (InstanceNotFoundException e) {
            return 0;
        } catch (JMException e) {
            throw new IOException("asking for the messages that came into topic " + topic, e);
        }
    }
}

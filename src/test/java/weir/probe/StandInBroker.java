package weir.probe;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Map;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanInfo;
import javax.management.ObjectName;
import weir.host.mbean.LocalMBeans;

/** A JVM with a few of a broker's MBeans, whose totals grow by one step each time they are read. Ends with its input. */
final class StandInBroker implements DynamicMBean {
    private final Map<String, Double> start;
    private final Map<String, Double> step;
    private int reads;

    private StandInBroker(Map<String, Double> start, Map<String, Double> step) {
        this.start = start;
        this.step = step;
    }

    public static void main(String[] arguments) throws IOException, JMException {
        register(
                "kafka.server:type=BrokerTopicMetrics,name=MessagesInPerSec",
                Map.of("Count", 1000.0),
                Map.of("Count", 500.0));
        register(
                "kafka.network:type=RequestMetrics,name=TotalTimeMs,request=Produce",
                Map.of("Count", 10.0, "Mean", 4.0, "50thPercentile", 3.0, "99thPercentile", 9.0),
                Map.of("Count", 10.0, "Mean", 2.0));
        String inOfTopic = "kafka.server:type=BrokerTopicMetrics,name=MessagesInPerSec,topic=";
        register(inOfTopic + "led", Map.of("Count", 5.0), Map.of());
        register(inOfTopic + "unreadable", Map.of(), Map.of());
        register("kafka.network:type=RequestChannel,name=RequestQueueSize", Map.of("Value", 7.0), Map.of());
        LocalMBeans.serve();
        System.out.println("ready");
        while (System.in.read() >= 0) {}
    }

    private static void register(String name, Map<String, Double> start, Map<String, Double> step) throws JMException {
        ManagementFactory.getPlatformMBeanServer().registerMBean(new StandInBroker(start, step), new ObjectName(name));
    }

    @Override
    public AttributeList getAttributes(String[] names) {
        AttributeList list = new AttributeList();
        for (String name : names) {
            Double value = start.get(name);
            if (value != null) {
                list.add(new Attribute(name, value + reads * step.getOrDefault(name, 0.0)));
            }
        }
        reads++;
        return list;
    }

    @Override
    public Object getAttribute(String name) {
        return getAttributes(new String[] {name}).asList().get(0).getValue();
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        return new MBeanInfo(StandInBroker.class.getName(), "a stand-in", null, null, null, null);
    }

    @Override
    public void setAttribute(Attribute attribute) {
        throw new UnsupportedOperationException();
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Object invoke(String action, Object[] parameters, String[] signature) {
        throw new UnsupportedOperationException();
    }
}

package weir.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanInfo;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.host.mbean.LocalMBeans;
import weir.probe.BrokerFigure.MessagesIn;

class BrokerJmxTest {
    private final Tree tree = new Tree(Path.of("/"));
    /** All processes start at once. */
    private static final Deque<Process> STARTED = new ArrayDeque<>();

    private final Process broker = STARTED.remove();

    @TempDir
    static Path folder;

    @BeforeAll
    static void start() throws IOException {
        for (int tests = 0; tests < 3; tests++) {
            STARTED.add(process());
        }
    }

    private static Process process() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx32m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.io.tmpdir=" + folder,
                        "-cp",
                        System.getProperty("java.class.path"),
                        StandInBroker.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @BeforeEach
    void ready() throws IOException {
        assertThat(broker.inputReader().readLine()).isEqualTo("ready");
    }

    @AfterEach
    void stop() throws InterruptedException {
        broker.destroyForcibly().waitFor();
    }

    @Test
    void recordsOfATopicAreUnknownWhenItsMBeanCannotBeRead() throws IOException {
        assertThat(MessagesIn.of(broker.pid(), List.of("led", "never-led"))).isEqualTo(5);
        assertThatThrownBy(() -> MessagesIn.of(broker.pid(), List.of("led", "unreadable")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("topic=unreadable");
    }

    @Test
    void totalsBecomeRatesAndMeansOfWhatWasAddedInBetween() {
        try (BrokerJmx jmx = new BrokerJmx(broker.pid(), Duration.ofMinutes(1))) {
            assertThat(tree.look(jmx)).containsEntry("request.queue", 7.0).containsKey("heap.used.mib");
            assertThat(tree.absent())
                    .contains("isr.shrinks: this broker has no MBean"
                            + " kafka.server:type=ReplicaManager,name=IsrShrinksPerSec");
            // From 10 requests of 4 ms to 20 of 6 ms: the ten in between took 8 ms each.
            double mean = 8;
            for (int other = 0; other < 4; other++) {
                assertThat(tree.look(jmx))
                        .containsOnlyKeys("heap.used.mib", "request.produce.count", "request.produce.total.mean.ms")
                        .containsEntry("request.produce.count", 10.0)
                        .containsEntry("request.produce.total.mean.ms", mean);
                // The next ten requests raise the mean to 8 ms: 12 ms each.
                mean += 4;
            }
            Map<String, Double> second = tree.look(jmx);
            // In between the broker answered six times.
            assertThat(second.get("allocated.bytes.per.s")).isBetween(1_000.0, 100e6);
            assertThat(second)
                    .containsEntry("messages.in.per.s", 100.0)
                    .containsEntry("request.produce.count", 10.0)
                    .containsEntry("request.produce.total.mean.ms", mean)
                    .containsEntry("request.produce.total.p50.ms", 3.0)
                    .containsEntry("request.produce.total.p99.ms", 9.0);
        }
    }

    @Test
    void unresponsiveBrokerIsAbsentAndDelaysOnlyOneReading() throws IOException, InterruptedException {
        try (BrokerJmx jmx = new BrokerJmx(broker.pid(), Duration.ofMillis(200))) {
            untilItAnswers(jmx);
            signal("STOP");
            untilItStands();
            tree.look(jmx);
            assertThat(tree.absent()).containsExactly("kafka.*: the broker did not answer within 200 ms");
            assertThat(tree.look(jmx)).isEmpty();
            assertThat(tree.absent()).containsExactly("kafka.*: the broker has not yet answered over JMX");
            signal("CONT");
            untilItAnswers(jmx);
            stop();
            assertThat(tree.look(jmx)).isEmpty();
            assertThat(tree.absent()).isNotEmpty();
        }
    }

    private void untilItAnswers(BrokerJmx jmx) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!tree.look(jmx).containsKey("heap.used.mib")) {
            assertThat(System.nanoTime()).as("it never answered").isLessThan(deadline);
        }
    }

    /** The threads of a process do not all stop at the moment of the signal. */
    private void untilItStands() throws IOException {
        boolean runs = true;
        while (runs) {
            runs = false;
            try (Stream<Path> threads = Files.list(Path.of("/proc/" + broker.pid() + "/task"))) {
                for (Path thread : threads.toList()) {
                    String stat = Files.readString(thread.resolve("stat"));
                    runs |= stat.charAt(stat.lastIndexOf(')') + 2) != 'T';
                }
            }
        }
    }

    private void signal(String name) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(broker.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    /** A JVM with a few of a broker's MBeans, whose totals grow by one step with each read. Ends with its input. */
    static final class StandInBroker implements DynamicMBean {
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

        private static void register(String name, Map<String, Double> start, Map<String, Double> step)
                throws JMException {
            ManagementFactory.getPlatformMBeanServer()
                    .registerMBean(new StandInBroker(start, step), new ObjectName(name));
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
}

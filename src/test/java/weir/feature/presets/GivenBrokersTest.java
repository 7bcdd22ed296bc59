package weir.feature.presets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import weir.plan.property.Property;

class GivenBrokersTest {
    private static Map<String, Property> broker(String... namesAndValues) {
        Map<String, Property> properties = new TreeMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            String name = namesAndValues[i];
            properties.put(
                    name, new Property("broker 1", name, "", namesAndValues[i + 1], "0", Property.Source.CLUSTER));
        }
        return properties;
    }

    private static Map<String, Property> durable(String rack) {
        return broker(
                "default.replication.factor", "3",
                "min.insync.replicas", "2",
                "unclean.leader.election.enable", "false",
                "auto.create.topics.enable", "false",
                "broker.rack", rack);
    }

    @Test
    void whatEachBrokerHasIsNotToBeDone() {
        GivenBrokers three = new GivenBrokers("h:1", "4.3", Map.of(1, durable("a"), 2, durable("b"), 3, durable("c")));
        assertThat(three.toDo(Preset.named("durability"))).isEmpty();
    }

    @Test
    void whatOneBrokerLacksIsToBeDoneAndSoAreBrokersForTheReplicas() {
        Map<String, Property> lacking = durable("");
        lacking.putAll(broker("min.insync.replicas", "1"));
        lacking.remove("auto.create.topics.enable");
        GivenBrokers two = new GivenBrokers("h:1", "4.3", Map.of(1, durable("a"), 2, lacking));
        assertThat(two.toDo(Preset.named("durability")))
                .hasSize(4)
                .anySatisfy(line ->
                        assertThat(line).startsWith("have 3 brokers or more").endsWith("there are 2"))
                .anySatisfy(line -> assertThat(line).startsWith("min.insync.replicas: 2 (it is "))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("auto.create.topics.enable: false (it is ")
                        .contains("unknown"))
                .anySatisfy(line -> assertThat(line).startsWith("broker.rack: its rack (it is "));
    }

    @Test
    void recoveryThreadsAreCountedAgainstTheDirectoriesOfEachBroker() {
        Preset availability = Preset.named("availability");
        Map<String, Property> broker = broker(
                "min.insync.replicas", "1",
                "unclean.leader.election.enable", "true",
                "num.recovery.threads.per.data.dir", "2",
                "log.dirs", "/a,/b");
        Map<Integer, Map<String, Property>> three = new TreeMap<>(Map.of(1, broker, 2, broker, 3, broker));
        assertThat(new GivenBrokers("h:1", "4.3", three).toDo(availability)).isEmpty();
        Map<String, Property> more = new TreeMap<>(broker);
        more.putAll(broker("log.dirs", "/a,/b,/c"));
        three.put(3, more);
        assertThat(new GivenBrokers("h:1", "4.3", three).toDo(availability))
                .singleElement()
                .asString()
                .startsWith("num.recovery.threads.per.data.dir: its log.dirs (it is 2)");
    }
}

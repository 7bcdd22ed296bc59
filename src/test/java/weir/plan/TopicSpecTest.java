package weir.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TopicSpecTest {
    private static final String THREE =
            "cluster: { brokers: 5 }\ntopics: { t: { partitions: 6, replication: 2, brokers: [1, 2, 3] } }\nload: {}\nmeasure: 1s\n";

    @Test
    void leadersTakeTurnsOverTheNamedBrokersAndSoDoTheirFollowers() {
        TopicSpec topic = new TopicSpec(6, 2, List.of(1, 2, 4), 1, false, new TreeMap<>());
        assertThat(IntStream.range(0, 6).mapToObj(topic::replicas))
                .containsExactly(
                        List.of(1, 2), List.of(2, 4), List.of(4, 1), List.of(1, 4), List.of(2, 1), List.of(4, 2));
        TopicSpec alone = new TopicSpec(2, 1, List.of(5), 1, false, new TreeMap<>());
        assertThat(alone.replicas(1)).containsExactly(5);
        TopicSpec all = new TopicSpec(2, 3, List.of(1, 2, 3), 1, false, new TreeMap<>());
        assertThat(all.replicas(1)).containsExactly(2, 3, 1);
    }

    @Test
    void theBrokersOfATopicAreKnownAndEnoughAndEachOnce() {
        assertThat(Plans.problems(THREE)).isEmpty();
        assertThat(Plans.only(THREE).topics().values())
                .singleElement()
                .satisfies(topic -> assertThat(topic.brokers()).containsExactly(1, 2, 3));
        assertThat(Plans.problems(THREE.replace("brokers: 5", "brokers: 2")))
                .contains("topics.t.brokers: there is no broker 3; the brokers are 1 to 2");
        assertThat(Plans.problems(THREE.replace("[1, 2, 3]", "[1, 2, 1]")))
                .contains("names a broker twice; remove one of the two");
        assertThat(Plans.problems(THREE.replace("[1, 2, 3]", "[2]")))
                .contains("has 1 broker for 2 replicas of each partition; add brokers, or write replication: 1");
        assertThat(Plans.problems(THREE.replace("[1, 2, 3]", "[1, x]"))).contains("topics.t.brokers");
        assertThat(Plans.problems(THREE.replace("cluster: { brokers: 5 }", "cluster: { bootstrap: \"h:1\" }")
                        .replace("[1, 2, 3]", "[1, 2, 3], existing: true")))
                .contains("topics.t.brokers: cannot be used with topics.t.existing: true");
    }
}

package weir.load.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import weir.load.QuietEngine;
import weir.load.read.Receiver;
import weir.load.send.Sender;
import weir.plan.property.Property;

class EngineTest {
    private final List<String> asked = new ArrayList<>();
    private final Engine paired = Engine.paired(Engine.of(new Named("a")), Engine.of(new Named("b")));

    /** An engine that records its calls, and whose close fails if its name is a. */
    private final class Named implements QuietEngine {
        private final String name;

        Named(String name) {
            this.name = name;
        }

        private long[] told(String what) {
            asked.add(name + " " + what);
            return new long[0];
        }

        @Override
        public List<String> partitions() {
            return List.of("t-0");
        }

        @Override
        public long[] ends() {
            return told("ends");
        }

        @Override
        public long[] ackedEnds(List<String> partitions) {
            return told("acked ends");
        }

        @Override
        public Sender sender(int producer) {
            told("sender");
            throw new IllegalStateException("no sender");
        }

        @Override
        public Receiver receiver(int reader, long[] from) {
            told("receiver");
            throw new IllegalStateException("no receiver");
        }

        @Override
        public void awaitPositions(Duration limit) {
            told("positions");
        }

        @Override
        public Receiver verifier(List<Integer> partitions, long[] from) {
            told("verifier");
            throw new IllegalStateException("no verifier");
        }

        @Override
        public void report(Figures into) {
            told("look");
        }

        @Override
        public List<Property> properties() {
            return List.of(new Property(name, "x", "", "1", "1", Property.Source.DEFAULT));
        }

        @Override
        public List<String> notes() {
            return List.of("both", name);
        }

        @Override
        public void close() {
            told("close");
            if (name.equals("a")) {
                throw new IllegalStateException("a cannot be closed");
            }
        }
    }

    @Test
    void pairedEngineSendsWithOneAndReceivesWithTheOther() {
        assertThatThrownBy(() -> paired.producing().sender(0)).hasMessage("no sender");
        assertThatThrownBy(() -> paired.consuming().receiver(0, new long[0])).hasMessage("no receiver");
        assertThatThrownBy(() -> paired.consuming().verifier(List.of(), new long[0]))
                .hasMessage("no verifier");
        paired.producing().ackedEnds(List.of());
        paired.log().ends();
        paired.consuming().awaitPositions(Duration.ZERO);
        assertThat(asked)
                .containsExactly("a sender", "b receiver", "b verifier", "a acked ends", "b ends", "b positions");
    }

    @Test
    void anEngineForMessagesRefusesOperations() {
        assertThatThrownBy(paired::operating).hasMessageContaining("operations of one record");
    }

    @Test
    void pairedEngineReportsBothEnginesOnce() {
        paired.report((metric, value) -> {});
        assertThat(asked).containsExactly("a look", "b look");
        assertThat(paired.notes()).containsExactly("both", "a", "b");
        assertThat(paired.properties()).extracting(Property::of).containsExactly("a", "b");
    }

    @Test
    void secondEngineIsClosedIfTheFirstFails() {
        assertThatThrownBy(paired::close).hasMessage("a cannot be closed");
        assertThat(asked).containsExactly("a close", "b close");
    }

    @Test
    void ackedEndsAreTheMaximumOfAllProducers() {
        AckedEnds one = new AckedEnds(2);
        AckedEnds other = new AckedEnds(2);
        one.acked(0, 0, 4);
        one.acked(0, 0, 3);
        one.acked(1, 2, 9);
        other.acked(0, 0, 7);
        other.acked(1, 0, 0);
        assertThat(AckedEnds.of(
                        List.of("a-b", "c"), List.of(one, other), List.of("a-b-0", "c-2", "c-0", "c-3", "else-0")))
                .containsExactly(8, 10, 1, 0, 0);
        assertThat(one.partitions(1)).isEqualTo(3);
    }
}

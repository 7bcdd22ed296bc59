package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ValueCountsTest {
    private static ValueCounts random(long seed, Map<Long, Integer> naive) {
        SplittableRandom random = new SplittableRandom(seed);
        ValueCounts tally = new ValueCounts();
        for (int i = 0; i < 500; i++) {
            long number = random.nextInt(50) * 3001L;
            assertThat(tally.add(number)).isEqualTo(!naive.containsKey(number));
            naive.merge(number, 1, Integer::sum);
        }
        return tally;
    }

    private static void assertSame(ValueCounts tally, Map<Long, Integer> naive) {
        for (long to = 0; to < 160_000; to += 7919) {
            long bound = to;
            assertThat(tally.times(0, to))
                    .isEqualTo(naive.entrySet().stream()
                            .filter(e -> e.getKey() < bound)
                            .mapToInt(Map.Entry::getValue)
                            .sum());
            assertThat(tally.again(0, to))
                    .isEqualTo(naive.entrySet().stream()
                            .filter(e -> e.getKey() < bound)
                            .mapToInt(e -> e.getValue() - 1)
                            .sum());
        }
        assertThat(tally.repeated().count())
                .isEqualTo(naive.values().stream().filter(times -> times > 1).count());
    }

    @Test
    void itCountsHowOftenEachCame() {
        Map<Long, Integer> naive = new HashMap<>();
        assertSame(random(1, naive), naive);
    }

    @Test
    void talliesAdd() {
        Map<Long, Integer> naive = new HashMap<>();
        Map<Long, Integer> more = new HashMap<>();
        ValueCounts tally = random(1, naive);
        tally.addAll(random(2, more));
        more.forEach((number, times) -> naive.merge(number, times, Integer::sum));
        assertSame(tally, naive);
    }

    @Test
    void whatIsWrittenIsReadTheSame() throws IOException {
        Map<Long, Integer> naive = new HashMap<>();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        random(1, naive).write(new DataOutputStream(out));
        assertSame(ValueCounts.read(new DataInputStream(new ByteArrayInputStream(out.toByteArray()))), naive);
        byte[] deep = {-1, -1, 127};
        assertThatThrownBy(() -> ValueCounts.read(new DataInputStream(new ByteArrayInputStream(deep))))
                .hasMessage("2097151 times one message came, where at most 10000 are allowed");
    }
}

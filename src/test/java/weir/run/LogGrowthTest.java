package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import weir.cluster.ClusterUnavailable;
import weir.run.disturbance.TrialNotes;

class LogGrowthTest {
    private static final long MILLI = 1_000_000;

    private final List<String> told = new ArrayList<>();
    private long nanos;

    /** Asks at these milliseconds for end offsets that are these, of which a negative one is not answered; returns what is told. */
    private List<String> grown(long[] atMillis, long... ends) {
        Queue<Long> answers = new ArrayDeque<>();
        for (long end : ends) {
            answers.add(end);
        }
        TrialRun.LogGrowth growth =
                new TrialRun.LogGrowth(() -> nanos, () -> answer(answers.remove()), new TrialNotes() {
                    @Override
                    public void mark(long at, String name, String text) {
                        told.add(name + " " + text);
                    }

                    @Override
                    public void reading(String source, String metric, double value) {
                        told.add(source + " " + metric + " " + value);
                    }
                });
        for (long millis : atMillis) {
            nanos = millis * MILLI;
            growth.run();
        }
        return told;
    }

    private static long answer(long end) {
        if (end < 0) {
            throw new ClusterUnavailable("nobody answered");
        }
        return end;
    }

    @Test
    void growthIsTakenByTheTimeThatHasPassed() {
        assertThat(grown(new long[] {0, 1_000, 2_500}, 10, 110, 410))
                .containsExactly("log appended.per.s 100.0", "log appended.per.s 200.0");
    }

    @Test
    void secondsWithoutAnAnswerAreInTheNextReadingAndAreSaidOnce() {
        assertThat(grown(new long[] {0, 1_000, 2_000, 4_000}, 0, -1, -1, 400))
                .containsExactly("note the end offsets could not be read: nobody answered", "log appended.per.s 100.0");
    }
}

package weir.feature.readers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.measure.Count;
import weir.results.RunResult;
import weir.results.value.Figures;
import weir.results.value.TrialResult;
import weir.run.RealRun;

/** Members of a share group that join, leave and stand still, on a broker whose locks last two seconds. */
@Timeout(180)
class ShareReadersIT {
    @TempDir
    Path root;

    private RunResult run(String load) throws Exception {
        return RealRun.of(root, """
                cluster:
                  kafka: 4.4.0
                  controllers: 1
                  heap: 256MiB
                  jvm: ["-XX:TieredStopAtLevel=1"]
                  broker: { group.share.min.record.lock.duration.ms: 1000, group.share.record.lock.duration.ms: 2000 }
                topics: { t: { partitions: 2 } }
                warmup: 2s
                """ + load);
    }

    private static long count(Figures figures, Count count) {
        return Objects.requireNonNull(figures.count(count), count.toString());
    }

    private static void assertAccounted(Figures figures) {
        assertThat(count(figures, Count.ACCEPTED) + count(figures, Count.ARCHIVED))
                .isEqualTo(count(figures, Count.ACKED));
        assertThat(count(figures, Count.LOST)).isZero();
        assertThat(count(figures, Count.ACQUIRED))
                .isEqualTo(count(figures, Count.ACCEPTED)
                        + count(figures, Count.RELEASED)
                        + count(figures, Count.REJECTED)
                        + count(figures, Count.LOCK_EXPIRED));
    }

    @Test
    @Tag("long")
    void recordsOfAReaderThatStandsStillAreCompletedOnce() throws Exception {
        RunResult run = run("""
                load: { workload: deliver, rate: 800/s, consumers: 3, work: 5ms, consumer: { max.poll.records: 50 },
                  group: { name: g, protocol: share, acknowledge: explicit } }
                measure: 9s
                drain: 30s
                during: { freeze: { at: 2s, for: 5s, consumers: 1, how: pause } }
                """);
        Figures figures = run.trials().get(0).figures();
        assertAccounted(figures);
        assertThat(count(figures, Count.LOCK_EXPIRED)).isPositive().isEqualTo(count(figures, Count.REDELIVERED));
    }

    @Test
    void readersThatJoinAndLeaveLoseNothing() throws Exception {
        RunResult run = run("""
                load: { workload: deliver, rate: 400/s, consumers: 2, work: 2ms, consumer: { max.poll.records: 50 },
                  group: { name: g, protocol: share, acknowledge: explicit } }
                measure: 10s
                during:
                  join: { at: 2s, for: 3s, consumers: +2 }
                  leave: { at: 7s, consumers: 1 }
                """);
        Figures figures = run.trials().get(0).figures();
        assertAccounted(figures);
        assertThat(count(figures, Count.LOCK_EXPIRED)).isZero();
        assertThat(run.models(ReadersResult.class).get(0).readers())
                .extracting(ReadersResult.Reader::name)
                .containsExactly("reader-0", "reader-1", "reader-2", "reader-3");
    }

    @Test
    @Tag("long")
    @Timeout(1_800)
    void everyRecordIsAccountedForWhenTheCoordinatorDiesOrReadersChange() throws Exception {
        RunResult run = run("""
                load: { workload: deliver, rate: 500/s, consumers: 4, work: 2ms, consumer: { max.poll.records: 50 },
                  group: { name: g, protocol: share, acknowledge: explicit }, outcome: { release: 1%%, reject: 0.1%% } }
                measure: 12s
                drain: 20s
                variants:
                  killed: { during: { crash: { at: 3s, for: 3s, kill: broker 1 } } }
                  frozen: { during: { freeze: { at: 3s, for: 5s, consumers: 2, how: pause } } }
                  left: { during: { leave: { at: 3s, for: 3s, consumers: 2 } } }
                repeat: %d
                """.formatted(Integer.getInteger("weir.repeats", 1)));
        assertThat(run.trials()).allSatisfy(trial -> assertAccounted(trial.figures()));
    }

    @Test
    @Tag("long")
    @Timeout(3_600)
    void lockLimitIsNamedIfItKeepsReadersWaiting() throws Exception {
        RunResult run = run("""
                load: { workload: deliver, rate: 1000/s, consumers: 8, work: 10ms, consumer: { max.poll.records: 50 },
                  group: { name: g, protocol: share } }
                measure: 5s
                drain: 1s
                verify: false
                variants:
                  few: { topics: { t: { partitions: 1 } }, cluster: { fresh: trial, broker: { group.share.partition.max.record.locks: 100,
                    group.share.min.partition.max.record.locks: 100 } } }
                  enough: { cluster: { fresh: trial } }
                repeat: %d
                """.formatted(Integer.getInteger("weir.repeats", 1)));
        for (TrialResult trial : run.trials()) {
            assertThat(run.caveats().stream()
                            .filter(caveat -> Objects.equals(caveat.trial(), trial.trial()))
                            .filter(caveat -> caveat.evidence().contains("share.partition.max.record.locks")))
                    .as(trial.variant())
                    .hasSize(trial.variant().equals("few") ? 1 : 0);
        }
    }

    @Test
    @Tag("long")
    void shareGroupReachesTheCeilingOfItsWork() throws Exception {
        RunResult run = run("""
                load: { workload: deliver, rate: 900/s, consumers: 4, work: 5ms, consumer: { max.poll.records: 100 },
                  group: { name: g, protocol: share } }
                measure: 10s
                drain: 1s
                verify: false
                """);
        ReadersResult readers = run.models(ReadersResult.class).get(0);
        // On a busy machine, a wait of 5 ms takes longer.
        assertThat(Objects.requireNonNull(readers.received())).isGreaterThan(0.85 * readers.ceiling());
    }
}

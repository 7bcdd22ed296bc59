package weir.feature.readers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.load.read.ReaderActivity;
import weir.measure.Median;
import weir.measure.Reading;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.TrialFolder;
import weir.results.value.TrialResult;
import weir.run.RealRun;

/** The times of a rebalance, beside those in the log of the group's coordinator. */
@Timeout(180)
class CoordinatorLogIT {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS");
    /** The coordinator writes this line when the leader of the group has assigned the partitions. */
    private static final Pattern ASSIGNED =
            Pattern.compile("(?m)^.*?([0-9]{4}-\\S+ [0-9:,]+).*Assignment received from leader");

    @TempDir
    Path root;

    @Test
    @Tag("alone")
    void rebalanceEndsWhenTheCoordinatorHasTheAssignment() throws Exception {
        RunResult run = RealRun.of(root, """
                cluster: { kafka: 4.4.0, controllers: 1, heap: 256MiB, fresh: trial }
                topics: { t: { partitions: 12 } }
                load: { workload: deliver, rate: 2k/s, consumers: 3, group: { name: g, protocol: classic } }
                warmup: 3s
                measure: 10s
                during: { join: { at: 3s, consumers: +1 } }
                repeat: 3
                """);
        List<Double> late = new ArrayList<>();
        for (TrialResult result : run.trials()) {
            TrialFolder trial = RunFolder.open(Path.of(run.run())).trials().get(result.trial() - 1);
            double joined = result.disturbances().get(0).from();
            double changed = trial.readings((source, metric) -> metric.equals(ReaderActivity.PARTITIONS)).stream()
                    .mapToDouble(Reading::second)
                    .filter(second -> second > joined)
                    .max()
                    .orElseThrow();
            double assigned = ASSIGNED.matcher(Files.readString(trial.path().resolve("brokers/broker-1.log")))
                    .results()
                    .mapToDouble(line -> millis(line) - trial.startMillis())
                    .filter(millis -> millis > joined * 1e3)
                    .max()
                    .orElseThrow();
            late.add(changed * 1e3 - assigned);
        }
        // The coordinator logs whole milliseconds. A busy machine delays the readers in some trials.
        assertThat(late).hasSize(3).allMatch(millis -> millis > -2);
        assertThat(Median.of(late, millis -> millis)).as("%s", late).isLessThan(20);
    }

    private static double millis(MatchResult line) {
        return LocalDateTime.parse(line.group(1), STAMP)
                .atZone(ZoneId.systemDefault())
                .toInstant()
                .toEpochMilli();
    }
}

package weir.report.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.measure.Latency;
import weir.plan.Golden;
import weir.report.SyntheticRun;
import weir.results.RunFolder;
import weir.results.TrialFolder;
import weir.results.value.StepResult;

class KnativeFilesTest {
    @TempDir
    Path dir;

    private RunFolder run() {
        return new SyntheticRun(dir, List.of("direct"), 2, new double[] {1000, 2000}, 4).write();
    }

    private static List<double[]> points(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .map(line -> line.split(",", -1))
                .map(cells -> new double[] {Double.parseDouble(cells[0]), Double.parseDouble(cells[1])})
                .toList();
    }

    @Test
    void filesAreNamedAndWrittenAsThere() throws IOException {
        Path into = dir.resolve("knative");
        KnativeFiles.write(run(), into);
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(into)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                List<String> lines = Files.readAllLines(file);
                all.append(into.relativize(file))
                        .append(": ")
                        .append(lines.size())
                        .append(" lines\n");
                lines.stream()
                        .limit(3)
                        .forEach(line -> all.append("  ").append(line).append('\n'));
            }
        }
        Golden.assertSame("src/test/resources/weir/report/knative.txt", all.toString());
    }

    @Test
    void throughputIsThatOfEachSecondAndRestsAreLeftOut() throws IOException {
        RunFolder run = run();
        KnativeFiles.write(run, dir.resolve("knative"));
        TrialFolder trial = run.trials().get(0);
        double start = trial.result().steps().get(0).from();
        double[] sent = trial.windows().stream()
                .filter(row -> row.second() >= Math.floor(start) && row.due() + row.sent() + row.received() > 0)
                .mapToDouble(row -> row.sent() / row.seconds())
                .toArray();
        List<double[]> points = points(dir.resolve("knative/run-1/direct/send-throughput.csv"));
        assertThat(points).hasSize(sent.length);
        for (int i = 0; i < sent.length; i++) {
            assertThat(points.get(i)[1]).isEqualTo(sent[i]);
        }
    }

    @Test
    void theLastCumulativePercentileIsThatOfAllSteps() throws IOException {
        RunFolder run = run();
        KnativeFiles.write(run, dir.resolve("knative"));
        TrialFolder trial = run.trials().get(0);
        Latency all = Latency.sum(List.of());
        long seconds = 0;
        for (StepResult step : trial.result().steps()) {
            all = all.plus(Objects.requireNonNull(trial.latencies().get("service@" + step.step())));
            seconds += Math.round(step.seconds());
        }
        List<double[]> line = points(dir.resolve("knative/run-1/direct/p99-publish-latency.csv"));
        assertThat(line).hasSizeGreaterThanOrEqualTo((int) seconds);
        assertThat(line.get((int) seconds - 1)[1]).isCloseTo(all.millis(99), offset(1e-5));
        List<double[]> points = points(dir.resolve("knative/run-1/direct/points-publish-latency.csv"));
        assertThat(points.size()).isGreaterThanOrEqualTo((int) all.count());
        assertThat(points.get(0)[0]).isBetween(1e12, 1e13);
        assertThat(points).isSortedAccordingTo(Comparator.comparingDouble(point -> point[0]));
    }
}

package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import weir.report.Contradictions;
import weir.results.RunFolder;
import weir.results.RunResult;

/** A run of each kind, judged and reported as usual. The cluster accepts 3,000 records a second. */
class NoContradictionTest {
    private static final String STEPS = """
            load: { rate: { steps: [500/s for 5s, 1000/s for 5s, 2000/s for 5s, 4000/s for 5s] } }
            warmup: 2s
            measure: null
            """;
    private static final String RATE = """
            load: { rate: 1000/s }
            warmup: 2s
            measure: 10s
            """;

    @TempDir
    Path dir;

    static Stream<Arguments> plans() {
        return Stream.of(
                Arguments.of("one rate", RATE),
                Arguments.of("a rate that is too high", RATE.replace("1000/s", "4000/s")),
                Arguments.of("a queue of the warm-up", RATE.replace("warmup: 2s", "warmup: { for: 2s, rate: 4000/s }")),
                Arguments.of("at maximum rate", RATE.replace("1000/s", "max")),
                Arguments.of("a number of records", RATE.replace("measure: 10s", "measure: { operations: 5000 }")),
                Arguments.of(
                        "a number of records, too fast",
                        RATE.replace("measure: 10s", "measure: { operations: 20000 }")
                                .replace("1000/s", "8000/s")),
                Arguments.of(
                        "readers",
                        "load: { workload: consume, backlog: 20000 records }\nwarmup: none\nmeasure: { operations: 10000 }\n"),
                Arguments.of("steps", STEPS),
                Arguments.of("steps from above", STEPS.replace("500/s for 5s", "3500/s for 5s")),
                Arguments.of("no step is sustained", STEPS.replaceAll("\\[.*\\]", "[5000/s for 5s, 8000/s for 5s]")),
                Arguments.of(
                        "a breaking point", STEPS + "search: { breaking-point: { limits: [response p99 < 1s] } }\n"),
                Arguments.of(
                        "breaking points compared",
                        STEPS + "search: { breaking-point: { of: each, limits: [response p99 < 1s] } }\nrepeat: 4\n"
                                + "variants: { a: {}, b: {} }\ncompare: [a / b]\n"),
                Arguments.of("a late generator", STEPS),
                Arguments.of(
                        "a late generator and a breaking point",
                        STEPS + "search: { breaking-point: { limits: [response p99 < 9s] } }\n"),
                Arguments.of("variants", RATE + "variants: { a: {}, b: { load: { rate: 500/s } } }\n"),
                Arguments.of(
                        "variants repeated",
                        RATE + "repeat: 4\nvariants: { a: {}, b: {}, c: {} }\ncompare: [b / a, c from a to b]\n"),
                Arguments.of("a capacity", "search: { capacity: { limits: [response p99 < 100ms], from: 500/s } }\n"),
                Arguments.of(
                        "a disturbance",
                        "cluster: { brokers: 3, controllers: 1 }\ntopics: { t: { replication: 3 } }\n" + RATE
                                + "during: { crash: { at: 3s, for: 2s, kill: broker 2 } }\n"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("plans")
    void aReportDoesNotContradictItself(String what, String plan) throws IOException {
        FakeLab lab = new FakeLab(dir.resolve("state"));
        lab.capacity = 3_000;
        lab.late = Duration.ofSeconds(what.startsWith("a late generator") ? 1 : 0);
        lab.factor = variant -> variant.name().equals("b") ? 0.5 : 1;
        RunResult result = lab.run(dir, plan, new ArrayList<>());
        assertThat(Contradictions.in(RunFolder.open(Path.of(result.run()))))
                .as("%s: %s", what, result.conclusion().answer())
                .isEmpty();
    }
}

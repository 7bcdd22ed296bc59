package weir.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.Steps;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.syntax.CaveatType;
import weir.plan.trial.Estimate;
import weir.plan.trial.Trial;
import weir.plan.trial.Trials;
import weir.results.WindowRow;
import weir.results.WindowRows;
import weir.results.value.Caveat;

class RunProgressTest {
    private final StringWriter written = new StringWriter();
    private final AtomicLong nanos = new AtomicLong();

    private final Trial trial = Trials.of(PlanReader.read(Path.of("experiments/01-hello.yaml"), Overrides.SHORT))
            .get(0);

    @TempDir
    Path folder;

    private RunProgress plain(String typed) {
        return new RunProgress(new LineOutput.Plain(new PrintWriter(written)), nanos::get, () -> typed);
    }

    @ParameterizedTest
    @CsvSource({"y,true", "Yes,true", "n,false", "'',false", "yep,false"})
    void onlyAClearYesAgrees(String typed, boolean agrees) {
        assertThat(plain(typed).agrees("Load it?")).isEqualTo(agrees);
        assertThat(written.toString()).startsWith("Load it?");
    }

    @Test
    void aFileGetsAWindowEveryTenSecondsAndNotEverySecond() {
        try (RunProgress progress = plain("")) {
            progress.phase(trial, "measure", Duration.ofSeconds(25));
            for (int second = 0; second < 25; second++) {
                progress.window(trial, row(second));
            }
        }
        assertThat(written.toString().lines())
                .containsExactly(
                        "  measure, about 25 s",
                        "     0 s  due 1,000/s, acked 999/s, p50 1.50 ms, p99 9.00 ms",
                        "    10 s  due 1,000/s, acked 999/s, p50 1.50 ms, p99 9.00 ms",
                        "    20 s  due 1,000/s, acked 999/s, p50 1.50 ms, p99 9.00 ms");
    }

    @Test
    void lateWindowsAreNotPrintedInAnotherPhase() {
        try (RunProgress progress = plain("")) {
            progress.phase(trial, "warm-up", Duration.ofSeconds(12));
            progress.window(trial, row(10, Steps.WARMUP));
            progress.phase(trial, "measure", Duration.ofSeconds(25));
            progress.window(trial, row(11, Steps.WARMUP));
            progress.window(trial, row(12));
            progress.window(trial, row(9));
            progress.phase(trial, "drain", Duration.ZERO);
            progress.window(trial, row(37));
            progress.window(trial, row(38, WindowRow.NO_STEP));
        }
        assertThat(written.toString()
                        .lines()
                        .map(line -> line.replaceFirst(" s  .*", "").strip()))
                .containsExactly("warm-up, about 12 s", "10", "measure, about 25 s", "12", "drain", "38");
    }

    @Test
    void aFigureIsWrittenAsInTheReport() {
        try (RunProgress progress = plain("")) {
            progress.phase(trial, "measure", Duration.ofSeconds(1));
            WindowRow.Spread slow = new WindowRow.Spread(102.2, 12_540, 13_000, 14_000);
            progress.window(trial, row(0, 2, slow));
        }
        assertThat(written.toString()).contains("p50 102 ms, p99 12.5 s");
    }

    @Test
    void aPercentileOfASecondThatFailedMessagesReachIsMarked() {
        try (RunProgress progress = plain("")) {
            progress.phase(trial, "measure", Duration.ofSeconds(1));
            Latency some = new Latency();
            some.record(2_000_000, 900);
            some.recordAtLeast(8_000_000, 100);
            progress.window(trial, row(0, 2, WindowRow.Spread.of(some)));
        }
        assertThat(written.toString()).contains("p50 2.00 ms, p99 ≥ 8.00 ms");
    }

    @Test
    void aScreenShowsHowFarThePhaseIs() {
        LiveDisplay screen = new LiveDisplay(new PrintWriter(written), () -> 100, false);
        try (RunProgress progress = new RunProgress(screen, nanos::get, () -> "")) {
            progress.phase(trial, "measure", Duration.ofSeconds(60));
            nanos.set(20_000_000_000L);
            progress.window(trial, row(20));
        }
        assertThat(written.toString()).contains("measure " + "━".repeat(10) + "─".repeat(20) + " 20 of 1 min");
    }

    @Test
    void runStartPrintsEstimateFolderAndCaveats() {
        try (RunProgress progress = plain("")) {
            progress.started(
                    Path.of("runs/x"), new Estimate(3, Duration.ofSeconds(95), 1000, 5L << 30, 2L << 30, true, 0));
            progress.caveat(new Caveat("shared-cores", CaveatType.Level.DOUBT, "2 cores for 2", "", "response", 1));
        }
        assertThat(written.toString().lines())
                .containsExactly(
                        "3 trials, about 1 min 35 s, at most 5.0 GiB written; runs/x",
                        "  doubt: shared-cores: 2 cores for 2");
    }

    @Test
    void sparklineHasAGapForMissingValues() {
        assertThat(RunProgress.spark(new double[] {0, Double.NaN, 50, 100})).isEqualTo("▁ ▅█");
    }

    private static WindowRow row(double second) {
        return row(second, 2);
    }

    private static WindowRow row(double second, int step) {
        return row(second, step, new WindowRow.Spread(1.5, 9, 10, 11));
    }

    private static WindowRow row(double second, int step, WindowRow.Spread response) {
        return WindowRows.of(second, step, 1000, 999, 0, 0, Map.of(LatencyKind.RESPONSE, response), Double.NaN, 0);
    }

    private LiveDisplay screen(int columns, boolean coloured) {
        return new LiveDisplay(new PrintWriter(written), () -> columns, coloured);
    }

    @Test
    void permanentLinesAreWrittenAboveTheLiveLines() {
        try (LiveDisplay screen = screen(40, false)) {
            screen.show(List.of("one", "two"));
            screen.keep(LineOutput.Tone.PLAIN, "stays");
        }
        assertThat(written).hasToString("one\ntwo\n\u001b[2A\u001b[Jstays\none\ntwo\n\u001b[2A\u001b[J");
    }

    @Test
    void aLineTooLongForTheWindowIsCutBecauseItWouldWrap() {
        screen(8, false).show(List.of("0123456789"));
        assertThat(written).hasToString("012345…\n");
    }

    @Test
    void textFromOutsideCannotSteerTheTerminal() {
        screen(80, false).keep(LineOutput.Tone.PLAIN, "a\u001b[2Jb\rc\u0007");
        assertThat(written).hasToString("a·[2Jb·c·\n");
    }

    @Test
    void noColorDisablesColours() {
        assertThat(LiveDisplay.coloured(Map.of("NO_COLOR", "1"))).isFalse();
        assertThat(LiveDisplay.coloured(Map.of("NO_COLOR", ""))).isTrue();
        screen(80, false).keep(LineOutput.Tone.BAD, "lost");
        assertThat(written).hasToString("lost\n");
        screen(80, true).keep(LineOutput.Tone.BAD, "lost");
        assertThat(written.toString()).endsWith("\u001b[31mlost\u001b[0m\n");
    }

    @Test
    void onADesktopTheReportIsGivenToItsOpener() throws Exception {
        Path opened = folder.resolve("opened");
        Path opener = folder.resolve("xdg-open");
        Files.writeString(opener, "#!/bin/sh\nprintf %s \"$1\" > '" + opened + "'\n");
        Files.setPosixFilePermissions(opener, PosixFilePermissions.fromString("rwx------"));
        Map<String, String> desktop = Map.of("DISPLAY", ":0", "PATH", "/nowhere:" + folder);
        Path report = folder.resolve("a report.html");

        assertThat(Browser.available(desktop)).isTrue();
        assertThat(Browser.open(report, desktop).waitFor()).isZero();
        assertThat(opened).hasContent(report.toString());
    }

    @Test
    void reportIsNotOpenedWithoutADesktop() {
        Map<String, String> server = Map.of("PATH", "/nowhere");
        assertThat(Browser.available(server)).isFalse();
        assertThatThrownBy(() -> Browser.open(folder.resolve("report.html"), server))
                .hasMessageContaining("no desktop");
    }
}

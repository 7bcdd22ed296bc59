package weir.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.measure.Balances;
import weir.measure.HistogramLog;
import weir.measure.LatencyKind;
import weir.measure.Reading;
import weir.measure.Recorder;
import weir.measure.Steps;
import weir.plan.SyntheticTrial;
import weir.plan.syntax.CaveatType;
import weir.results.value.Caveat;
import weir.results.value.Event;
import weir.results.value.HostFacts;
import weir.results.value.TrialResult;

class TrialFolderTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    private static final WindowRow.Spread SPREAD = new WindowRow.Spread(1.5, 2.25, 3, 4);

    @TempDir
    Path root;

    private RunFolder run;
    private TrialWriter writer;

    @BeforeEach
    void starts() {
        run = Trials.folder(root, NOON, Trials.asked("x"));
        writer = run.trial(SyntheticTrial.of(1, "base", 1), NOON);
    }

    @Test
    void aTrialLeftUnfinishedIsSetAsideWhenItIsDoneAgain() {
        writer.window(row(0, 2));
        writer.close();
        try (TrialWriter again = run.trial(SyntheticTrial.of(1, "base", 1), NOON)) {
            again.finish(RunResultTest.trial(), List.of());
        }
        assertThat(run.trials()).hasSize(1).allMatch(TrialFolder::finished);
        assertThat(run.path().resolve("unfinished/01-base-1")).isDirectory();
    }

    private static WindowRow row(int second, int step) {
        return new WindowRow(
                second,
                1,
                step,
                Balances.counts(
                        "due 100, sent 99, acked 98, failed 1, received 97, bytes_acked 1000, bytes_received 970"),
                WindowRow.latencies(kind -> kind == LatencyKind.BACKPRESSURE ? WindowRow.Spread.NONE : SPREAD),
                12,
                Double.NaN);
    }

    private TrialFolder folder() {
        return run.trials().get(0);
    }

    @Test
    void writtenTrialIsReadUnchanged() {
        Event event = new Event(3.25, Event.STEP, "says \"hi\", <b>\nand more");
        writer.event(event);
        writer.reading(new Reading(4, "broker-1", "cpu.cores", 0.75));
        writer.window(row(5, 2));
        List<Caveat> caveats = List.of(new Caveat("thin", CaveatType.Level.DOUBT, "few", "more", "p99", 1));
        writer.finish(RunResultTest.trial(), caveats);

        TrialFolder folder = folder();
        assertThat(folder.finished()).isTrue();
        assertThat(folder.result()).isEqualTo(RunResultTest.trial());
        assertThat(folder.caveats()).isEqualTo(caveats);
        assertThat(folder.windows()).containsExactly(row(5, 2));
        assertThat(folder.events()).containsExactly(new Event(3.25, Event.STEP, "says \"hi\", <b> and more"));
        assertThat(folder.readings((source, metric) -> true))
                .containsExactly(new Reading(4, "broker-1", "cpu.cores", 0.75));
        assertThat(folder.readings((source, metric) -> source.equals("host"))).isEmpty();
    }

    @Test
    void failureReasonsWithoutCountsAreRead() throws Exception {
        writer.finish(RunResultTest.trial(), List.of());
        Path file = writer.path().resolve(TrialFolder.TRIAL);
        String written = Files.readString(file);
        Files.writeString(
                file, written.replaceFirst("\\{", "{ \"failures\": [\"HTTP 503\", \"TimeoutException: too late\"],"));
        assertThat(folder().result().failures())
                .extracting(TrialResult.Failure::text)
                .containsExactly("HTTP 503", "Timeout (too late)");

        TrialResult.Failure counted = new TrialResult.Failure("RecordTooLarge: big", 3, "max.request.size");
        Files.writeString(file, written.replaceFirst("\\{", "{ \"failures\": [" + ResultJson.line(counted) + "],"));
        assertThat(folder().result().failures()).containsExactly(counted);
    }

    private HostFacts hereOf(String conditions) throws IOException {
        Files.writeString(writer.path().resolve(TrialFolder.CONDITIONS), """
                { "limits": [], "generator": { "alone": [] }, "filesystem": "ext4", "unlimitedWriteback": false,
                  "firstOfMany": true, "forwarders": [], "properties": [], %s }
                """.formatted(conditions));
        return folder().conditions().here();
    }

    @Test
    void conditionsThatNameNoHostsAreThoseOfThisMachineAlone() throws Exception {
        assertThat(hereOf("\"cores\": 4, \"brokers\": [1, 2]"))
                .isEqualTo(new HostFacts(HostFacts.HERE, "", 4, 0, "", "", List.of(), List.of(1, 2), List.of()));
        assertThat(folder().conditions().hosts()).hasSize(1);
    }

    @Test
    void hostsThatNameNoBrokersAreReadWithThoseOfThisMachine() throws Exception {
        String host =
                "{ \"name\": \"%s\", \"processors\": 4, \"memoryBytes\": 5, \"system\": \"Linux\", \"java\": \"17\","
                        + " \"workers\": [%d] }";
        String hosts = "\"hosts\": [" + host.formatted("here", 0) + "," + host.formatted("a", 1) + "]";
        assertThat(hereOf(hosts + ", \"brokers\": [1]"))
                .isEqualTo(new HostFacts("here", "", 4, 5, "Linux", "17", List.of(0), List.of(1), List.of()));
        assertThat(folder().conditions().hosts().get(1).brokers()).isEmpty();
    }

    @Test
    void conditionsWithAnotherFirstHostAreRefusedInOneLine() {
        assertThatThrownBy(() -> hereOf("\"hosts\": [{ \"name\": \"a\", \"processors\": 4, \"memoryBytes\": 5,"
                        + " \"system\": \"\", \"java\": \"\", \"workers\": [] }]"))
                .isInstanceOf(UnreadableRunException.class)
                .hasMessageContaining("conditions.json: was not written by a run: the first host of a trial is 'here'");
        assertThatThrownBy(() -> hereOf("\"properties\": null"))
                .isInstanceOf(UnreadableRunException.class)
                .hasMessageContaining("properties is missing");
    }

    @Test
    void aKilledTrialIsReadAsFarAsItGot() throws Exception {
        writer.window(row(0, 2));
        writer.window(row(1, 2));
        cut("windows.csv.part", "2,1,2,100,99,98,1,9");
        TrialFolder folder = folder();
        assertThat(folder.finished()).isFalse();
        assertThat(folder.end()).isNull();
        assertThat(folder.windows()).containsExactly(row(0, 2), row(1, 2));
    }

    @Test
    void everySecondHasAWindowRowDespiteLateCounts() throws Exception {
        HistogramLog log = new HistogramLog(writer.latency(), NOON.toEpochMilli());
        acked(log, 0, 9, 1);
        writer.window(row(0, 2));
        acked(log, 1, 50, 2);
        writer.window(row(1, 2));
        // A sender that was blocked until now reports messages that were due a second ago.
        acked(log, 0, 1, 400);
        writer.window(row(0, 1));
        WindowRow whole = folder().windows().get(0);
        assertThat(folder().windows()).extracting(WindowRow::second).containsExactly(0.0, 1.0);
        assertThat(List.of(whole.due(), whole.acked(), whole.failed(), whole.received()))
                .containsExactly(200L, 196L, 2L, 194L);
        assertThat(whole.step()).isEqualTo(2);
        assertThat(whole.response().p50()).isBetween(0.99, 1.01);
        assertThat(whole.response().max()).isBetween(399.0, 401.0);
        assertThat(whole.latency(LatencyKind.SERVICE)).isEqualTo(whole.response());
        assertThat(whole.e2e()).isEqualTo(WindowRow.Spread.NONE);
        assertThat(folder().windows().get(1)).isEqualTo(row(1, 2));

        writer.finish(RunResultTest.trial(), List.of());
        assertThat(Files.readAllLines(writer.path().resolve("windows.csv"))).hasSize(3);
        WindowRow written = folder().windows().get(0);
        assertThat(written.due()).isEqualTo(200);
        assertThat(written.response().max()).isBetween(399.0, 401.0);
        assertThat(folder().latencies().get("response@2"))
                .satisfies(latency -> assertThat(latency.count()).isEqualTo(60));
    }

    private static void acked(HistogramLog log, long second, int count, long millis) {
        long start = second * 1_000_000_000L;
        Recorder recorder = new Recorder(
                start,
                1_000_000_000L,
                Integer.MAX_VALUE,
                window -> log.write(window, Steps.WHOLE, (double) second, second + 1.0));
        recorder.acked(2, count, count, start, start, start + millis * 1_000_000, 0);
        recorder.close();
    }

    @Test
    void aLineThatWasEditedIsNamed() throws Exception {
        writer.window(row(0, 2));
        cut("windows.csv.part", "1,1,2,many\n");
        assertThatThrownBy(() -> folder().windows())
                .isInstanceOf(UnreadableRunException.class)
                .hasMessageContaining("windows.csv.part (line 3)")
                .hasMessageContaining("4 columns instead of 36");
    }

    @Test
    void nothingIsAddedToAFinishedTrial() {
        writer.finish(RunResultTest.trial(), List.of());
        assertThatThrownBy(() -> writer.window(row(0, 2))).hasMessageContaining("is closed");
        assertThat(writer.path().resolve("windows.csv.part")).doesNotExist();
    }

    private void cut(String file, String text) throws IOException {
        Files.writeString(writer.path().resolve(file), text, StandardOpenOption.APPEND);
    }
}

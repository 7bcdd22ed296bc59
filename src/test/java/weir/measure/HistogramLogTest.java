package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;

class HistogramLogTest {
    private static String log(Snapshot... windows) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        HistogramLog log = new HistogramLog(new PrintStream(out, true, StandardCharsets.UTF_8), 1_800_000_000_000L);
        for (Snapshot window : windows) {
            log.write(window, Steps.WHOLE, (double) window.index(), window.index() + 1.0);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void othersReadItWithHistogramsOwnReader() {
        Snapshot window = random(1, 3);
        String text = log(window);
        HistogramLogReader reader =
                new HistogramLogReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        int lines = 0;
        for (var read = reader.nextIntervalHistogram(); read != null; read = reader.nextIntervalHistogram()) {
            Histogram histogram = (Histogram) read;
            String[] tag = histogram.getTag().split("@", 2);
            Latency latency = window.numbers(Integer.parseInt(tag[1]))
                    .latency(LatencyKind.valueOf(tag[0].toUpperCase(java.util.Locale.ROOT)));
            assertThat(histogram.getTotalCount()).isEqualTo(latency.count());
            assertThat(Math.min(histogram.getValueAtPercentile(99) / 1e6, latency.maxMillis()))
                    .isEqualTo(latency.millis(99));
            assertThat(histogram.getStartTimeStamp()).isEqualTo(1_800_000_003_000L);
            assertThat(histogram.getEndTimeStamp()).isEqualTo(1_800_000_004_000L);
            lines++;
        }
        assertThat(lines).isEqualTo(5 * LatencyKind.values().length);
    }

    @Test
    void messagesThatHadNotEndedAreReadBack() throws IOException {
        Snapshot first = new Snapshot(3);
        first.at(2).recorded(LatencyKind.RESPONSE).record(5_000_000, 98);
        first.at(2).recorded(LatencyKind.RESPONSE).recordAtLeast(70_000_000, 2);
        Snapshot second = new Snapshot(4);
        second.at(2).recorded(LatencyKind.RESPONSE).recordAtLeast(60_000_000, 1);
        String text = log(first, second);
        Latency both =
                Objects.requireNonNull(HistogramLog.read(new StringReader(text)).get("response@2"));
        Latency told = first.numbers(2)
                .latency(LatencyKind.RESPONSE)
                .plus(second.numbers(2).latency(LatencyKind.RESPONSE));
        assertThat(both.censored()).isEqualTo(3);
        assertThat(both.atLeastBeyond()).isEqualTo(told.atLeastBeyond()).isBetween(97.0, 97.1);
        TreeMap<Double, Long> windows = new TreeMap<>();
        HistogramLog.windows(
                new StringReader(text), (tag, at) -> true, (at, latency) -> windows.put(at, latency.censored()));
        assertThat(windows).containsEntry(3.0, 2L).containsEntry(4.0, 1L);
    }

    @Test
    void theExactLongestIsReadBackAndNoOtherOneIsBelieved() throws IOException {
        Snapshot first = new Snapshot(3);
        first.at(2).recorded(LatencyKind.RESPONSE).record(5_000_000, 98);
        first.at(2).recorded(LatencyKind.RESPONSE).record(70_500_001, 2);
        Snapshot second = new Snapshot(4);
        second.at(2).recorded(LatencyKind.RESPONSE).record(70_400_000, 1);
        String text = log(first, second);
        assertThat(longest(text)).isEqualTo(70.500001);
        assertThat(longest(text.replace(",70.500001,", ",99999.0,"))).isBetween(70.5, 70.6);
        assertThat(longest(text.replace(",70.500001,", ",1.0,"))).isBetween(70.4, 70.500001);
    }

    private static double longest(String text) throws IOException {
        Latency read =
                Objects.requireNonNull(HistogramLog.read(new StringReader(text)).get("response@2"));
        assertThat(read.millis(99)).isEqualTo(read.maxMillis());
        return read.maxMillis();
    }

    private static Snapshot random(long seed, long index) {
        Snapshot snapshot = SnapshotTest.random(seed, index);
        for (int step = 0; step < 5; step++) {
            for (LatencyKind metric : LatencyKind.values()) {
                snapshot.at(step).recorded(metric).record(5_000_000, 1);
            }
        }
        return snapshot;
    }

    @Test
    void readHistogramIsTheSumOfAllWindows() throws IOException {
        Snapshot first = random(1, 3);
        Snapshot second = random(2, 4);
        TreeMap<String, Long> counts = new TreeMap<>();
        HistogramLog.read(new StringReader(log(first, second)))
                .forEach((tag, latency) -> counts.put(tag, latency.count()));
        assertThat(counts).hasSize(5 * LatencyKind.values().length);
        assertThat(counts.get("e2e@4"))
                .isEqualTo(first.numbers(4).latency(LatencyKind.E2E).count()
                        + second.numbers(4).latency(LatencyKind.E2E).count());
    }

    @Test
    void histogramPartsOfOneWindowAreMerged() throws IOException {
        String text = log(random(1, 3), random(2, 4), random(3, 3));
        SortedMap<Double, Latency> windows = new TreeMap<>();
        HistogramLog.windows(
                new StringReader(text),
                (tag, second) -> tag.equals("e2e@2"),
                (at, histogram) -> windows.put(at, histogram));
        assertThat(windows).containsOnlyKeys(3.0, 4.0);
        Latency both = random(1, 3)
                .numbers(2)
                .latency(LatencyKind.E2E)
                .plus(random(3, 3).numbers(2).latency(LatencyKind.E2E));
        Latency whole = Objects.requireNonNull(windows.get(3.0));
        assertThat(whole.count()).isEqualTo(both.count());
        assertThat(whole.millis(99)).isEqualTo(both.millis(99));
        HistogramLog.windows(
                new StringReader(text),
                (tag, start) -> tag.equals("e2e@2") || tag.equals("e2e@3"),
                (second, latency) -> assertThat(latency.count())
                        .isGreaterThan(
                                Objects.requireNonNull(windows.get(second)).count()));
    }

    @Test
    void aLogIsTextThatDiffers() {
        assertThat(log())
                .startsWith("#[Histogram log format version")
                .contains("\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"");
        assertThat(log(random(1, 3))).contains("\nTag=response@2,3.000,1.000,");
    }

    @Test
    void malformedHistogramLinesAreReported() {
        String good = "Tag=response@2,3.000,1.000,5.0,";
        assertRefused("hello", "line 1 of the histogram log has no tag");
        assertRefused("#x\n0.1,1,2,HISTF", "line 2 of the histogram log has no tag");
        assertRefused("Tag=a,1", "line 1 of the histogram log was not written by a run: 2 cells instead of 5");
        assertRefused(good + "%%%", "line 1 of the histogram log was not written by a run: Illegal base64");
        assertRefused(good + "HIST", "not a compressed histogram");
        assertRefused(
                good + encoded(0, 5, 1, Long.MAX_VALUE), "a histogram from 1 to 9223372036854775807 with 5 digits");
        assertRefused(good + encoded(1, 3, 1000, 2000), "a histogram from");
        assertRefused(good.replace("response@2", "response@"), "'response@' is not a metric of a step");
        assertRefused(good.replace("response@2", "ping@2"), "'ping@2' is not a metric of a step");
        assertRefused(good.replace("3.000", "-3.000"), "'-3.000' is not a second of a trial");
        assertRefused(good.replace("3.000", "NaN"), "'NaN' is not a second of a trial");
        assertRefused(good.replace("3.000", "three"), "three");
        assertRefused("x".repeat((1 << 22) + 1), "line 1 is longer than 4194304");
    }

    @Test
    void countsThatNoWindowCanHaveAreRefusedBeforeTheyRunOver() {
        for (long count : new long[] {1L << 41, Long.MAX_VALUE / 2}) {
            Histogram histogram = new Histogram(1000, 2_000_000, 3);
            histogram.recordValueWithCount(5_000, count);
            histogram.recordValueWithCount(90_000, count);
            ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
            int length = histogram.encodeIntoCompressedByteBuffer(bytes);
            byte[] whole = new byte[length];
            bytes.flip().get(whole);
            assertRefused(
                    "Tag=response@2,3.000,1.000,5.0," + Base64.getEncoder().encodeToString(whole),
                    "the histogram has more messages than a window can have");
        }
    }

    @Test
    void moreStepsThanARunHasAreRefused() {
        String[] lines = log(random(1, 3)).split("\n", -1);
        String line = lines[lines.length - 2];
        StringBuilder many = new StringBuilder();
        for (int step = 0; step < 2_000; step++) {
            many.append("Tag=e2e@")
                    .append(step)
                    .append(line, line.indexOf(','), line.length())
                    .append('\n');
        }
        assertRefused(
                many.toString(),
                "line 1537 of the histogram log was not written by a run: 'e2e@1536' names a step above");
    }

    @Test
    void aLastLineThatWasCutIsLeftOut() throws IOException {
        String text = log(random(1, 3), random(2, 4));
        long all = count(text);
        assertThat(count(text.substring(0, text.length() - 1))).isPositive().isLessThan(all);
        assertThat(count(text.substring(0, text.length() - 20))).isEqualTo(count(text.substring(0, text.length() - 1)));
    }

    private static long count(String text) throws IOException {
        return HistogramLog.read(new StringReader(text)).values().stream()
                .mapToLong(Latency::count)
                .sum();
    }

    @Test
    void brokenHistogramsFailAsLinesOfTheLog() {
        String text = log(random(1, 3));
        int data = text.indexOf("HISTF");
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 60; i++) {
            StringBuilder broken = new StringBuilder(text);
            for (int change = 0; change < 3; change++) {
                broken.setCharAt(data + random.nextInt(200), "ABCxyz019+/".charAt(random.nextInt(11)));
            }
            try {
                HistogramLog.read(new StringReader(broken.toString()));
            } catch (IOException e) {
                assertThat(e).hasMessageMatching("(?s)line \\d+ .*");
            }
        }
    }

    private static String encoded(int offset, int digits, long lowest, long highest) {
        byte[] header = ByteBuffer.allocate(48)
                .putInt(0x1c849313)
                .putInt(8)
                .putInt(offset)
                .putInt(digits)
                .putLong(lowest)
                .putLong(highest)
                .putDouble(1)
                .array();
        Deflater deflater = new Deflater();
        deflater.setInput(header);
        deflater.finish();
        byte[] deflated = new byte[200];
        int length = deflater.deflate(deflated);
        deflater.end();
        byte[] whole = ByteBuffer.allocate(8 + length)
                .putInt(0x1c849314)
                .putInt(length)
                .put(deflated, 0, length)
                .array();
        return Base64.getEncoder().encodeToString(whole);
    }

    private static void assertRefused(String log, String message) {
        assertThatThrownBy(() -> HistogramLog.read(new StringReader(log + "\n")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(message);
    }
}

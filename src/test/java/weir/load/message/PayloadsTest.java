package weir.load.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import weir.plan.ByteSize;
import weir.plan.KeySpec;
import weir.plan.Ratio;
import weir.plan.ValueSpec;
import weir.plan.ValueSpec.Content;
import weir.plan.ValueSpec.Each;
import weir.plan.ValueSpec.Pick;
import weir.plan.ValueSpec.Size;

class PayloadsTest {
    private static final Size KIB = new Size.Fixed(new ByteSize(1024));

    @TempDir
    Path folder;

    private final byte[] value = new byte[40];

    private Payloads payloads(ValueSpec value) {
        return Payloads.of(value, new KeySpec.None(), 2, folder, 42);
    }

    private static List<byte[]> some(ValueSource source, int count) {
        List<byte[]> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(source.next(i).clone());
        }
        return values;
    }

    private List<byte[]> generated(Size size, Content content, int count) {
        return some(payloads(new ValueSpec.Generated(size, content)).values().apply(0), count);
    }

    private static int deflated(List<byte[]> values) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(out)) {
            for (byte[] value : values) {
                deflater.write(value);
            }
        }
        return out.size();
    }

    @Test
    void everyContentHasItsExample() {
        List<Content> examples = List.of(
                new Content.Random(),
                new Content.Letters(),
                new Content.Same(),
                new Content.Sequence(),
                new Content.Planes(),
                new Content.PartlyRandom(new Ratio(0.5)));
        assertThat(examples.stream().map(Object::getClass))
                .containsExactlyInAnyOrder(Content.class.getPermittedSubclasses());
        for (Content content : examples) {
            assertThat(generated(KIB, content, 3)).hasSize(3);
        }
    }

    @Test
    void randomValuesDoNotCompress() throws IOException {
        assertThat(deflated(generated(KIB, new Content.Random(), 500))).isGreaterThan(500 * 1024);
    }

    @Test
    void lettersAreLettersThatDifferFromRecordToRecord() throws IOException {
        List<byte[]> values = generated(KIB, new Content.Letters(), 500);
        for (byte[] value : values) {
            for (byte b : value) {
                assertThat(b).isBetween((byte) 'A', (byte) 'Z');
            }
        }
        // 26 letters have 4.7 bits each, so an entropy coder cannot compress them further.
        assertThat(deflated(values)).isBetween(500 * 1024 * 55 / 100, 500 * 1024 * 65 / 100);
    }

    @Test
    void lettersHideNoRepetitionFromACompressorWithALongMemory() throws IOException {
        ByteBufferOutputStream out = new ByteBufferOutputStream(1 << 20);
        List<byte[]> values = generated(new Size.Fixed(new ByteSize(250)), new Content.Letters(), 8_000);
        try (OutputStream zstd = Compression.zstd().build().wrapForOutput(out, RecordBatch.CURRENT_MAGIC_VALUE)) {
            for (byte[] value : values) {
                zstd.write(value);
            }
        }
        double entropy = Math.log(26) / Math.log(2) / 8;
        assertThat(out.position() / (8_000 * 250.0)).isBetween(entropy, 1.03 * entropy);
    }

    @Test
    void allLettersComeAboutEquallyOften() {
        int[] counts = new int[26];
        generated(KIB, new Content.Letters(), 200).forEach(value -> {
            for (byte b : value) {
                counts[b - 'A']++;
            }
        });
        assertThat(Arrays.stream(counts)).allMatch(count -> count > 6_700);
    }

    @Test
    void sameIsTheSameEveryTime() {
        List<byte[]> values = generated(KIB, new Content.Same(), 3);
        assertThat(values.get(2)).isEqualTo(values.get(0));
    }

    @Test
    void halfRandomCompressesToAboutHalf() throws IOException {
        int size = deflated(generated(KIB, new Content.PartlyRandom(new Ratio(0.5)), 500));
        assertThat(size).isBetween(500 * 512, 500 * 580);
    }

    @Test
    void sequenceIsTheNumberAsText() {
        assertThat(new String(generated(KIB, new Content.Sequence(), 12).get(11), StandardCharsets.US_ASCII))
                .isEqualTo("11");
    }

    @Test
    void theSameSeedMakesTheSameValuesAndAnotherProducerOthers() {
        ValueSpec random = new ValueSpec.Generated(KIB, new Content.Random());
        assertThat(some(payloads(random).values().apply(1), 5))
                .containsExactlyElementsOf(some(payloads(random).values().apply(1), 5));
        assertThat(payloads(random).values().apply(0).next(0))
                .isNotEqualTo(payloads(random).values().apply(1).next(0));
    }

    @Test
    void sizesBetweenTwoBoundsReachBoth() {
        Size size = new Size.Between(new ByteSize(30), new ByteSize(34));
        List<byte[]> values = generated(size, new Content.Random(), 500);
        assertThat(values.stream().map(value -> value.length).distinct()).containsExactlyInAnyOrder(30, 31, 32, 33, 34);
        assertThat(payloads(new ValueSpec.Generated(size, new Content.Random())).meanBytes())
                .isEqualTo(32);
    }

    @Test
    void mixedSizesComeAsOftenAsAsked() {
        Size size = new Size.Mixed(List.of(
                new ValueSpec.Portion(new ByteSize(100), new Ratio(0.9)),
                new ValueSpec.Portion(new ByteSize(1000), new Ratio(0.1))));
        long large = generated(size, new Content.Random(), 10_000).stream()
                .filter(value -> value.length == 1000)
                .count();
        assertThat(large).isBetween(850L, 1150L);
        assertThat(payloads(new ValueSpec.Generated(size, new Content.Random())).meanBytes())
                .isEqualTo(190, within(1e-6));
    }

    @Test
    void planeLinesHaveElevenColumnsAndMove() {
        List<String> lines = generated(KIB, new Content.Planes(), 3_001).stream()
                .map(value -> new String(value, StandardCharsets.US_ASCII))
                .toList();
        assertThat(lines).allMatch(line -> line.split(",", -1).length == 11);
        assertThat(lines.stream().mapToInt(String::length).average().orElseThrow())
                .isBetween(110.0, 140.0);
        assertThat(lines).allSatisfy(line -> {
            String[] columns = line.split(",", -1);
            assertThat(Double.parseDouble(columns[9])).isBetween(-180.0, 180.0);
            assertThat(Double.parseDouble(columns[10])).isBetween(-90.0, 90.0);
        });
        // The same plane a thousand lines later is the same flight, a little nearer to its destination.
        String[] before = lines.get(0).split(",", -1);
        String[] after = lines.get(1_000).split(",", -1);
        assertThat(after[0]).isEqualTo(before[0]);
        assertThat(Double.parseDouble(before[3]) - Double.parseDouble(after[3])).isBetween(0.18, 0.28);
    }

    @Test
    void linesOfAFileAreSharedOutInOrder() throws IOException {
        Files.writeString(folder.resolve("lines"), "a\nbb\r\n\nccc\ndddd");
        ValueSpec value = new ValueSpec.FromFile(Path.of("lines"), new Each.Line(), Pick.IN_ORDER);
        assertThat(some(payloads(value).values().apply(0), 3).stream().map(String::new))
                .containsExactly("a", "ccc", "a");
        assertThat(some(payloads(value).values().apply(1), 2).stream().map(String::new))
                .containsExactly("bb", "dddd");
    }

    @Test
    void linesOfAFileAreDrawnAtRandom() throws IOException {
        Files.writeString(folder.resolve("lines"), "a\nb\nc\n");
        ValueSpec value = new ValueSpec.FromFile(Path.of("lines"), new Each.Line(), Pick.RANDOM);
        assertThat(some(payloads(value).values().apply(0), 100).stream()
                        .map(String::new)
                        .distinct())
                .containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void aWholeFileIsOneValue() throws IOException {
        Files.writeString(folder.resolve("document"), "one\ntwo\n");
        ValueSpec value = new ValueSpec.FromFile(Path.of("document"), new Each.Whole(), Pick.IN_ORDER);
        assertThat(payloads(value).values().apply(0).next(5)).asString().isEqualTo("one\ntwo\n");
        assertThat(payloads(value).meanBytes()).isEqualTo(8);
        assertThat(payloads(value).headers()).isTrue();
    }

    @Test
    void valuesBetweenDelimitersAreThoseOfKafkasTool() throws IOException {
        Files.writeString(folder.resolve("values"), ";a;;b\r\n;ccc;");
        ValueSpec value = new ValueSpec.FromFile(Path.of("values"), new Each.Delimited(";"), Pick.IN_ORDER);
        assertThat(payloads(value).meanBytes()).isEqualTo(7 / 4.0);
        var source =
                Payloads.of(value, new KeySpec.None(), 1, folder, 7).values().apply(0);
        assertThat(some(source, 5).stream().map(String::new)).containsExactly("a", "", "b\r\n", "ccc", "a");
    }

    @Test
    void valuesOfAFileThatIsNotUtf8KeepTheirBytes() throws IOException {
        byte[] latin = "größe;\u00ff\u00fe\u0000;".getBytes(StandardCharsets.ISO_8859_1);
        Files.write(folder.resolve("values"), latin);
        ValueSpec value = new ValueSpec.FromFile(Path.of("values"), new Each.Delimited(";"), Pick.IN_ORDER);
        var source =
                Payloads.of(value, new KeySpec.None(), 1, folder, 7).values().apply(0);
        assertThat(some(source, 2).stream().map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1)))
                .containsExactly("größe", "\u00ff\u00fe\u0000");
    }

    @Test
    void delimitersBeyondAsciiSplitTextAndBytesAlike() throws IOException {
        ValueSpec value = new ValueSpec.FromFile(Path.of("values"), new Each.Delimited("→"), Pick.IN_ORDER);
        for (byte[] first : new byte[][] {"ä".getBytes(StandardCharsets.UTF_8), {(byte) 0xE4}}) {
            byte[] rest = "→b".getBytes(StandardCharsets.UTF_8);
            byte[] all = Arrays.copyOf(first, first.length + rest.length);
            System.arraycopy(rest, 0, all, first.length, rest.length);
            Files.write(folder.resolve("values"), all);
            var source = Payloads.of(value, new KeySpec.None(), 1, folder, 7)
                    .values()
                    .apply(0);
            assertThat(some(source, 2)).containsExactly(first, "b".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void aFileOfDelimitersHasNoValue() throws IOException {
        Files.writeString(folder.resolve("values"), ";");
        ValueSpec value = new ValueSpec.FromFile(Path.of("values"), new Each.Delimited(";"), Pick.IN_ORDER);
        assertThatThrownBy(() -> payloads(value)).hasMessageContaining("delimiter ';'");
    }

    @Test
    void emptyValueFileIsRefused() throws IOException {
        Files.writeString(folder.resolve("empty"), "\n\n");
        ValueSpec value = new ValueSpec.FromFile(Path.of("empty"), new Each.Line(), Pick.IN_ORDER);
        assertThatThrownBy(() -> payloads(value)).hasMessageContaining("' has only empty lines");
    }

    private List<String> keys(KeySpec key, byte[] value, int count) {
        ValueSpec any = new ValueSpec.Generated(KIB, new Content.Random());
        var source = Payloads.of(any, key, 1, folder, 7).keys().apply(0);
        return IntStream.range(0, count)
                .mapToObj(i -> new String(source.next(i, value), StandardCharsets.US_ASCII))
                .toList();
    }

    @Test
    void everyKeyHasItsExample() {
        List<KeySpec> examples = List.of(
                new KeySpec.None(),
                new KeySpec.Sequence(),
                new KeySpec.Random(),
                new KeySpec.Skewed(10, 1),
                new KeySpec.Column(1));
        assertThat(examples.stream().map(Object::getClass))
                .containsExactlyInAnyOrder(KeySpec.class.getPermittedSubclasses());
        for (KeySpec key : examples) {
            assertThat(keys(key, "a,b".getBytes(StandardCharsets.US_ASCII), 2)).hasSize(2);
        }
    }

    @Test
    void keysAreWhatTheirNamesSay() {
        byte[] line = "17,\"a, b\",c".getBytes(StandardCharsets.US_ASCII);
        assertThat(keys(new KeySpec.Sequence(), line, 3)).containsExactly("0", "1", "2");
        assertThat(keys(new KeySpec.Random(), line, 100)).doesNotHaveDuplicates();
        assertThat(keys(new KeySpec.Column(2), line, 1)).containsExactly("a, b");
        assertThat(keys(new KeySpec.Column(3), line, 1)).containsExactly("c");
        assertThatThrownBy(() -> keys(new KeySpec.Column(4), line, 1)).hasMessageContaining("the key is column 4");
    }

    @Test
    void quotesWithinAColumnAreThoseOfItsText() {
        byte[] line = "\"O\"\"Neil\",5\" disk,\"\",\"\"\"a\"\", b\"\"\",end".getBytes(StandardCharsets.US_ASCII);
        assertThat(IntStream.rangeClosed(1, 5)
                        .mapToObj(column ->
                                keys(new KeySpec.Column(column), line, 1).get(0)))
                .containsExactly("O\"Neil", "5\" disk", "", "\"a\", b\"", "end");
    }

    @Test
    void skewedKeysFollowZipf() {
        TreeMap<Integer, Integer> counts = new TreeMap<>();
        Stream<String> keys = keys(new KeySpec.Skewed(1_000, 0.99), new byte[0], 100_000).stream();
        keys.forEach(key -> counts.merge(Integer.parseInt(key), 1, Integer::sum));
        double harmonic = IntStream.rangeClosed(1, 1_000)
                .mapToDouble(k -> Math.pow(k, -0.99))
                .sum();
        assertThat(counts.firstKey()).isEqualTo(1);
        assertThat(counts.lastKey()).isLessThanOrEqualTo(1_000);
        for (int rank : List.of(1, 2, 3, 10)) {
            double expected = 100_000 * Math.pow(rank, -0.99) / harmonic;
            assertThat((double) counts.getOrDefault(rank, 0)).isCloseTo(expected, within(5 * Math.sqrt(expected)));
        }
    }

    @Test
    void identityIsReadAtTheBufferPosition() {
        Identity.write(value, 7, 3, 1L << 40, -5);
        ByteBuffer buffer =
                ByteBuffer.allocate(60).position(10).put(value).flip().position(10);
        Arrival arrival = new Arrival();
        arrival.read(buffer);
        assertThat(arrival.from(7)).isTrue();
        assertThat(arrival.producer).isEqualTo(3);
        assertThat(arrival.sequence).isEqualTo(1L << 40);
        assertThat(arrival.dueNanos).isEqualTo(-5);
        assertThat(buffer.position()).isEqualTo(10);
    }

    @Test
    void anIdentityIsReadFromAHeader() {
        byte[] header = new byte[Identity.BYTES];
        Identity.write(header, 7, 3, 9, 11);
        Arrival arrival = new Arrival();
        arrival.read(header);
        assertThat(arrival.from(7)).isTrue();
        assertThat(arrival.sequence).isEqualTo(9);
    }

    @Test
    void identityWithAChangedByteIsForeign() {
        Arrival arrival = new Arrival();
        for (int at = 0; at < Identity.BYTES; at++) {
            for (int change : new int[] {1, 0x80, 0xFF}) {
                Identity.write(value, 7, 65_535, 9, 11);
                value[at] ^= (byte) change;
                arrival.read(ByteBuffer.wrap(value));
                assertThat(arrival.from(7)).as("byte " + at).isFalse();
            }
        }
    }

    @Test
    void identityHeaderOfAnotherLengthIsForeign() {
        Arrival arrival = new Arrival();
        for (int length : new int[] {0, Identity.BYTES - 1, Identity.BYTES + 1}) {
            arrival.read(new byte[length]);
            assertThat(arrival.from(0)).isFalse();
        }
        arrival.read((byte[]) null);
        assertThat(arrival.from(0)).isFalse();
    }

    @Test
    void shortValuesAndValuesOfOtherRunsAreForeign() {
        Arrival arrival = new Arrival();
        arrival.read(ByteBuffer.allocate(Identity.BYTES - 1));
        assertThat(arrival.from(0)).isFalse();
        Identity.write(value, 7, 3, 9, 11);
        arrival.read(ByteBuffer.wrap(value));
        assertThat(arrival.from(8)).isFalse();
    }

    @Test
    void anIdIsTheIdentityInLowerCaseHexadecimalDigits() {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 100; i++) {
            byte[] identity = new byte[Identity.BYTES];
            Identity.write(identity, random.nextInt(), random.nextInt(1 << 16), random.nextLong(), random.nextLong());
            byte[] id = new byte[LoadEvent.ID_LENGTH];
            LoadEvent.writeId(identity, id);
            assertThat(new String(id, StandardCharsets.US_ASCII))
                    .isEqualTo(HexFormat.of().formatHex(identity));
            byte[] read = new byte[Identity.BYTES];
            assertThat(LoadEvent.readId(id, id.length, read)).isTrue();
            assertThat(read).isEqualTo(identity);
        }
    }

    @Test
    void malformedEventIdIsForeign() {
        String id = "0123456789abcdef".repeat(3);
        for (String other : new String[] {"", id.substring(1), id + "0", id.replace('f', 'g'), id.replace('a', 'A')}) {
            byte[] bytes = other.getBytes(StandardCharsets.US_ASCII);
            assertThat(LoadEvent.readId(bytes, bytes.length, new byte[Identity.BYTES]))
                    .isFalse();
        }
    }

    @ParameterizedTest
    @org.junit.jupiter.params.provider.ValueSource(doubles = {0, 0.5, 0.99, 1, 1.5, 3})
    void ranksAreAsFrequentAsTheLawSays(double exponent) {
        int distinct = 20;
        int draws = 100_000;
        Payloads.Zipf zipf = new Payloads.Zipf(distinct, exponent);
        SplittableRandom random = new SplittableRandom(1);
        int[] counts = new int[distinct + 1];
        for (int i = 0; i < draws; i++) {
            counts[Math.toIntExact(zipf.next(random))]++;
        }
        double sum = 0;
        for (int k = 1; k <= distinct; k++) {
            sum += Math.pow(k, -exponent);
        }
        double chiSquared = 0;
        for (int k = 1; k <= distinct; k++) {
            double expected = draws * Math.pow(k, -exponent) / sum;
            chiSquared += (counts[k] - expected) * (counts[k] - expected) / expected;
        }
        // 19 degrees of freedom: a fair draw is below 43.8 in 99.9 % of cases. The seed is fixed.
        assertThat(chiSquared).isLessThan(43.8);
    }

    @Test
    void zipfWithOneKeyReturnsThatKey() {
        assertThat(new Payloads.Zipf(1, 1).next(new SplittableRandom(1))).isEqualTo(1);
    }

    @Test
    void manyKeysCostNoTable() {
        Payloads.Zipf zipf = new Payloads.Zipf(1L << 50, 0.8);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1_000; i++) {
            assertThat(zipf.next(random)).isBetween(1L, 1L << 50);
        }
    }
}

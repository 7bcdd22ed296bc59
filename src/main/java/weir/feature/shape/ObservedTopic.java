package weir.feature.shape;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import weir.wire.Batches;
import weir.wire.RecordCursor;

/** The counts, sizes and sketches of one topic's record batches. The memory is bounded, and no record is kept. */
final class ObservedTopic {
    static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");

    private static final int KEY_SLOTS = 1 << 15;
    private static final int PRODUCER_SLOTS = 1 << 11;
    private static final int MOST_RECORD_BYTES = 64 << 20;
    private static final int BATCH_HEADER_BYTES = 61;
    /** The fields of a record beside its key, value and headers. */
    private static final int RECORD_FIELDS_BYTES = 7;

    private static final int MOST_MARKERS = 20_000;
    private static final int MOST_REMARKS = 20;
    private static final int HALVINGS = 40;

    final String name;
    final Arrivals arrivals;
    final Sizes keys = new Sizes();
    final Sizes values = new Sizes();
    final Sizes headers = new Sizes();
    final Sizes batchBytes = new Sizes();
    final Sizes batchRecords = new Sizes();
    /** The milliseconds from the first to the last record of each batch with several records. */
    final Sizes batchMillis = new Sizes();

    /** The bytes of the largest batch with several records. A larger record has a batch of its own. */
    int largestBatch;

    final KeySketch producers;
    final long[] codecBatches = new long[CODECS.size()];
    private final List<String> remarks = new ArrayList<>();
    private final long salt;
    private @Nullable KeySketch keySketch;
    private final Map<Long, NavigableSet<Long>> markers = new HashMap<>();
    private int markersKept;
    private long offsets;
    long[] partitionRecords = {};
    long records;
    long bytes;
    long tombstones;
    long withHeaders;
    long idempotent;
    long transactional;
    long markersSeen;
    long aborts;
    long appendTimes;
    long unread;
    private long packed;
    private long unpacked;
    boolean vanished;

    private final Batches batches = new Batches();

    ObservedTopic(String name, long salt, Duration length) {
        this.name = name;
        this.salt = salt;
        this.arrivals = new Arrivals(length);
        this.producers = new KeySketch(salt, PRODUCER_SLOTS);
    }

    static RecordCursor cursor() {
        return new RecordCursor(new byte[] {0}, MOST_RECORD_BYTES);
    }

    /** Adds the batches in {@code [first, behind)} from this offset on; returns the offset after the last batch. */
    long add(int partition, ByteBuffer in, int first, int behind, long from, RecordCursor cursor) throws IOException {
        batches.begin(in, first, behind);
        long next = from;
        while (batches.next()) {
            // A fetch begins with the whole batch that contains its offset.
            if (batches.baseOffset() >= from) {
                add(partition, cursor);
            }
            next = batches.nextOffset();
        }
        return Math.max(from, next);
    }

    private void add(int partition, RecordCursor cursor) throws IOException {
        cursor.begin(batches);
        if (batches.control()) {
            marker(cursor);
            return;
        }
        int count = batches.count();
        bytes += batches.size();
        batchBytes.add(batches.size());
        batchRecords.add(count);
        codecBatches[batches.codec()]++;
        if (count > 1) {
            largestBatch = Math.max(largestBatch, batches.size());
            batchMillis.add((int) Math.max(0, Math.min(1 << 30, batches.maxTime() - batches.baseTime())));
        }
        if (batches.producerId() >= 0) {
            idempotent += count;
            producers.add(batches.producerId());
        }
        transactional += batches.transactional() ? count : 0;
        appendTimes += batches.appendTime() ? count : 0;
        long before = unpacked;
        while (cursor.next()) {
            add(partition, cursor, batches.appendTime() ? batches.maxTime() : batches.baseTime() + cursor.timeDelta);
        }
        if (batches.codec() == 0) {
            unpacked = before;
        } else {
            packed += batches.size() - BATCH_HEADER_BYTES;
        }
    }

    private void add(int partition, RecordCursor record, long millis) {
        records++;
        partitionRecords[partition]++;
        arrivals.record(millis);
        tombstones += record.valueSize < 0 ? 1 : 0;
        add(record.bytes(), record.keyAt, record.hasKey() ? record.keySize() : -1, Math.max(0, record.valueSize));
        if (record.headersBytes > 0) {
            withHeaders++;
            headers.add(record.headersBytes);
        }
        unpacked += record.size() + record.headersBytes + RECORD_FIELDS_BYTES;
    }

    /** Adds the sizes of a key and a value; {@code keySize} is negative without a key. */
    void add(ByteBuffer bytes, int keyAt, int keySize, int valueSize) {
        values.add(valueSize);
        if (keySize >= 0) {
            keys.add(keySize);
            KeySketch sketch = keySketch;
            if (sketch == null) {
                sketch = new KeySketch(salt, KEY_SLOTS);
                keySketch = sketch;
            }
            sketch.add(bytes, keyAt, keySize);
        }
    }

    /** Counts a marker. Its key has a version and a type: 0 for an aborted and 1 for a committed transaction. */
    private void marker(RecordCursor cursor) throws IOException {
        while (cursor.next()) {
            if (cursor.keySize() < 2 * Short.BYTES) {
                continue;
            }
            int type = cursor.bytes().getShort(cursor.keyAt + Short.BYTES);
            markersSeen++;
            aborts += type == 0 ? 1 : 0;
            if (markersKept < MOST_MARKERS
                    && markers.computeIfAbsent(batches.producerId(), any -> new TreeSet<>())
                            .add(batches.baseTime())) {
                markersKept++;
            }
        }
    }

    /**
     * Estimates the transactions: each partition of a transaction has a marker, and the markers of one transaction have
     * nearly the same time. So the markers of one producer within 1 ms count once.
     */
    double transactions() {
        long distinct = 0;
        long kept = 0;
        for (NavigableSet<Long> times : markers.values()) {
            long last = Long.MIN_VALUE / 2;
            for (long time : times) {
                distinct += time - last > 1 ? 1 : 0;
                last = time;
                kept++;
            }
        }
        return kept < MOST_MARKERS ? distinct : (double) distinct * markersSeen / kept;
    }

    /**
     * Estimates the time for which producers wait for further records of a batch. A producer sends all batches for a
     * broker when the first of them has waited long enough. If r records arrive per second for one broker, 1 + r·t
     * records arrive until its batches leave after the time t, and each of their partitions has one batch.
     *
     * @param brokers the leaders of the partitions, which have one partition after the other
     * @param regular true if records arrive at equal distances
     */
    double lingerMillis(double perSecond, int brokers, boolean regular) {
        double producing = idempotent > 0 ? Math.max(1, Math.round(producers.distinct())) : 1;
        double arriving = perSecond / producing;
        // Without keys, a producer fills one partition at a time.
        double[] shares = keySketch == null
                ? new double[] {1}
                : Arrays.stream(partitionRecords)
                        .mapToDouble(count -> (double) count / records)
                        .toArray();
        double seen = arriving * batchRecords.count() / records;
        // Batches that became full do not show how long they would have waited.
        double most = (batchMillis.quantile(0.99) + 1) / 1e3;
        double low = 0;
        double high = most;
        for (int i = 0; i < HALVINGS; i++) {
            double wait = (low + high) / 2;
            if (batches(arriving, shares, brokers, wait) > seen) {
                low = wait;
            } else {
                high = wait;
            }
        }
        // At equal distances, the batches leave at any moment between two records.
        return 1e3 * Math.min(most, regular ? low + 0.5 / arriving : low);
    }

    private static double batches(double perSecond, double[] shares, int brokers, double wait) {
        double batches = 0;
        for (int broker = 0; broker < brokers; broker++) {
            double share = 0;
            for (int i = broker; i < shares.length; i += brokers) {
                share += shares[i];
            }
            double rate = perSecond * share;
            for (int i = broker; i < shares.length && rate > 0; i += brokers) {
                double missing = (1 - shares[i] / share) * Math.exp(-perSecond * shares[i] * wait);
                batches += rate / (1 + rate * wait) * (1 - missing);
            }
        }
        return batches;
    }

    @Nullable KeySketch keySketch() {
        return keySketch;
    }

    /** The compressed bytes of records by their uncompressed bytes; 1 without compression. */
    double compressed() {
        return unpacked == 0 ? 1 : (double) packed / unpacked;
    }

    /** The share of offsets that are records and not markers of transactions. */
    double data() {
        return records == 0 ? 1 : (double) records / (records + markersSeen);
    }

    /** The codecs with their shares of the batches. */
    String codecs() {
        long all = Arrays.stream(codecBatches).sum();
        return IntStream.range(0, codecBatches.length)
                .filter(codec -> codecBatches[codec] > 0)
                .mapToObj(codec -> CODECS.get(codec) + " " + ShapeFile.percent((double) codecBatches[codec] / all))
                .collect(Collectors.joining(", "));
    }

    double bytesPerSecond() {
        return records == 0 ? 0 : arrivals.offsetsPerSecond() * data() * bytes / records;
    }

    /** Notes the growth of all partitions since the last call. */
    void ends(long millis, long grown) {
        offsets += grown;
        arrivals.ends(millis, offsets);
    }

    void remark(String remark) {
        if (!remarks.contains(remark) && remarks.size() < MOST_REMARKS) {
            remarks.add(remark);
        }
    }

    List<String> remarks() {
        return List.copyOf(remarks);
    }
}

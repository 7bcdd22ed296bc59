package weir.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The messages of one producer that readers saw. Guarded by its own lock. */
final class ProducerReads {
    final ValueCounts seen = new ValueCounts();
    final ValueCounts reread = new ValueCounts();

    final Sequences reordered = new Sequences();
    /** Messages that readers did not get, but that are known: in a dead letter sink, or in a log that was read back. */
    final Sequences parked = new Sequences();

    /** The deliveries of a share group. */
    private final Map<Count, ValueCounts> deliveries = new EnumMap<>(Count.class);

    ProducerReads() {
        Count.OF_DELIVERIES.forEach(count -> deliveries.put(count, new ValueCounts()));
    }

    ValueCounts deliveries(Count count) {
        return Objects.requireNonNull(deliveries.get(count));
    }

    synchronized boolean contains(long sequence) {
        return seen.distinct().contains(sequence);
    }

    synchronized int stretch(long sequence) {
        return seen.distinct().stretch(sequence);
    }

    synchronized void addAll(ProducerReads other) {
        seen.addAll(other.seen);
        reread.addAll(other.reread);
        reordered.addAll(other.reordered);
        parked.addAll(other.parked);
        deliveries.forEach((count, all) -> all.addAll(other.deliveries(count)));
    }

    void clear() {
        seen.clear();
        reread.clear();
        reordered.clear();
        parked.clear();
        deliveries.values().forEach(ValueCounts::clear);
    }

    boolean empty() {
        return seen.distinct().empty()
                && parked.empty()
                && deliveries.values().stream().allMatch(all -> all.distinct().empty());
    }

    Sequences known() {
        Sequences known = new Sequences();
        known.addAll(seen.distinct());
        known.addAll(parked);
        return known;
    }

    synchronized void write(DataOutput out) throws IOException {
        seen.write(out);
        reread.write(out);
        reordered.write(out);
        parked.write(out);
        for (ValueCounts all : deliveries.values()) {
            all.write(out);
        }
    }

    static ProducerReads read(DataInput in) throws IOException {
        ProducerReads read = new ProducerReads();
        read.seen.addAll(ValueCounts.read(in));
        read.reread.addAll(ValueCounts.read(in));
        read.reordered.addAll(Sequences.read(in));
        read.parked.addAll(Sequences.read(in));
        for (ValueCounts all : read.deliveries.values()) {
            all.addAll(ValueCounts.read(in));
        }
        return read;
    }

    /** The count of each number. The n-th set contains the numbers that were added more than n times. */
    static final class ValueCounts {
        private static final int MAX_LEVELS = 10_000;

        private final List<Sequences> levels = new ArrayList<>(List.of(new Sequences()));

        boolean add(long number) {
            for (int level = 0; level < levels.size(); level++) {
                if (levels.get(level).add(number, 1) == 0) {
                    return level == 0;
                }
            }
            Sequences another = new Sequences();
            another.add(number, 1);
            levels.add(another);
            return false;
        }

        void add(long first, int many) {
            if (levels.get(0).count(first, first + many) == 0) {
                levels.get(0).add(first, many);
                return;
            }
            for (int i = 0; i < many; i++) {
                add(first + i);
            }
        }

        void addAll(ValueCounts other) {
            for (Sequences those : other.levels) {
                // Numbers that a level already contains go to the next level, like the carry of an addition.
                Sequences carried = those;
                for (int level = 0; !carried.empty(); level++) {
                    if (level == levels.size()) {
                        levels.add(new Sequences());
                    }
                    carried = levels.get(level).addAll(carried);
                }
            }
        }

        Sequences distinct() {
            return levels.get(0);
        }

        Sequences repeated() {
            return levels.size() > 1 ? levels.get(1) : new Sequences();
        }

        long times(long from, long to) {
            long times = 0;
            for (Sequences level : levels) {
                times += level.count(from, to);
            }
            return times;
        }

        /** The number of repeated additions of numbers in {@code [from, to)}. */
        long again(long from, long to) {
            return times(from, to) - distinct().count(from, to);
        }

        void clear() {
            levels.subList(1, levels.size()).clear();
            levels.get(0).clear();
        }

        void write(DataOutput out) throws IOException {
            Varint.write(out, levels.size());
            for (Sequences level : levels) {
                level.write(out);
            }
        }

        static ValueCounts read(DataInput in) throws IOException {
            ValueCounts read = new ValueCounts();
            int levels = Varint.read(in, MAX_LEVELS, "times one message came");
            for (int i = 0; i < levels; i++) {
                Sequences level = Sequences.read(in);
                if (i > 0 && level.empty()) {
                    throw new IOException("an empty level");
                }
                if (i == 0) {
                    read.levels.set(0, level);
                } else {
                    read.levels.add(level);
                }
            }
            return read;
        }
    }
}

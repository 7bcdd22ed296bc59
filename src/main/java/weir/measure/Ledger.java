package weir.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Where every message went. While messages are under way, threads only use their own {@link SentLedger} and
 * {@link ReadLedger}; everything else is asked when they have ended.
 */
public final class Ledger {
    private static final int FORM = 1;
    private static final int MAX_PARTITIONS = 1_000_000;

    private final List<String> names;
    private final PartitionReads[] partitions;
    private final TreeMap<Integer, SentLedger> senders = new TreeMap<>();
    private final TreeMap<Integer, ProducerReads> reads = new TreeMap<>();
    private final Places places = new Places();
    /** Where the group of a stream stands. */
    private final long[] stood;

    private boolean committedReads;

    /** A ledger for readers of these partitions, named like {@code topic-0}. */
    public Ledger(List<String> partitions) {
        this.names = List.copyOf(partitions);
        this.partitions =
                Stream.generate(PartitionReads::new).limit(names.size()).toArray(PartitionReads[]::new);
        this.stood = new long[names.size()];
        Arrays.fill(stood, PartitionReads.NOWHERE);
    }

    /** Transactions are judged: by readers of committed records, or, if they are not, only counted. */
    public void judgeTransactions(boolean readCommitted) {
        committedReads = readCommitted;
        places.keep();
    }

    /** The sending half of one producer; the number is unique over all workers. */
    public synchronized SentLedger sender(int producer) {
        SentLedger sender = new SentLedger(producer);
        add(sender);
        return sender;
    }

    private void add(SentLedger sender) {
        if (senders.putIfAbsent(sender.producer(), sender) != null) {
            throw new IllegalArgumentException("producer " + sender.producer() + " is there already");
        }
    }

    /** The half of one more reading thread. */
    public ReadLedger reader() {
        return new ReadLedger(partitions, this::reads, places);
    }

    private synchronized ProducerReads reads(int producer) {
        return reads.computeIfAbsent(producer, p -> new ProducerReads());
    }

    /** The offset behind the last readable record, fetched after the producers closed. */
    public void end(int partition, long endOffset) {
        partitions[partition].end(endOffset);
    }

    /** The offset that the group of a stream has committed in the end. */
    public void stood(int partition, long offset) {
        stood[partition] = offset;
    }

    /** Whether transactions were all or nothing. */
    public Atomicity atomicity() {
        long unseen = 0;
        for (PartitionReads partition : partitions) {
            unseen = saturated(saturated(unseen, partition.tail()), partition.expired());
        }
        AtomicityCheck check = new AtomicityCheck(names, stood, places, unseen);
        for (SentLedger sender : senders.values()) {
            Sequences seen = reads.getOrDefault(sender.producer(), new ProducerReads())
                    .seen()
                    .distinct();
            check.add(
                    sender,
                    seen,
                    committedReads && read() && sender.transactions().some());
        }
        return check.result();
    }

    private boolean read() {
        return Arrays.stream(partitions).anyMatch(p -> p.position() != PartitionReads.NOWHERE) || !reads.isEmpty();
    }

    /** Partitions whose readers have not reached the end. */
    public List<Integer> unfinished() {
        List<Integer> unfinished = new ArrayList<>();
        for (int i = 0; i < partitions.length; i++) {
            if (partitions[i].unfinished()) {
                unfinished.add(i);
            }
        }
        return unfinished;
    }

    /** The highest position any reader reached, or -1: verify goes on from there. */
    public long position(int partition) {
        return partitions[partition].position();
    }

    /** The messages of the steps from {@code first} to {@code last}, both included. */
    public Balance balance(int first, int last) {
        Sum sum = new Sum();
        Sum all = new Sum();
        for (SentLedger sender : senders.values()) {
            ProducerReads seen = reads.getOrDefault(sender.producer(), new ProducerReads());
            sum.add(sender, seen, first, last);
            all.add(sender, seen, 0, Integer.MAX_VALUE);
        }
        return read() ? withReads(sum, all, last >= all.lastStep && first <= Steps.MEASURE) : withoutReads(sum);
    }

    public Balance balance(int step) {
        return balance(step, step);
    }

    private static Balance withoutReads(Sum sum) {
        long no = Balance.UNKNOWN;
        return new Balance(
                sum.due,
                sum.unsent,
                sum.sent,
                sum.acked,
                sum.failed,
                sum.aborted,
                sum.unresolved,
                no,
                no,
                no,
                no,
                no,
                no,
                no,
                no,
                no,
                sum.resolvedTwice);
    }

    // Which of the absent messages lie behind the point where a reader stopped, or were removed before it came, nobody
    // knows: partitions are known by offsets, and what is absent has none. So as many as can are taken to be there;
    // what
    // is left over is proven to be lost.
    private Balance withReads(Sum sum, Sum all, boolean whole) {
        long tail = 0;
        long gone = 0;
        long foreign = 0;
        long unnamed = 0;
        for (PartitionReads partition : partitions) {
            tail = saturated(tail, partition.tail());
            gone += partition.expired();
            foreign += partition.foreign();
            unnamed += partition.rereadUnnamed();
        }
        long unread = Math.min(sum.absent, tail);
        long expired = Math.min(sum.absent - unread, gone);
        boolean placed = unnamed == 0 || sum.excess() == 0 || sum.excess() == all.excess();
        long here = sum.excess() == 0 ? 0 : Math.min(unnamed, sum.excess());
        return new Balance(
                sum.due,
                sum.unsent,
                sum.sent,
                sum.acked,
                sum.failed,
                sum.aborted,
                sum.unresolved,
                sum.received,
                unread,
                sum.absent - unread - expired,
                placed ? sum.excess() - here : Balance.UNKNOWN,
                placed ? sum.reread + here : Balance.UNKNOWN,
                sum.reordered,
                sum.ghosts,
                whole ? foreign + neverSent() : Balance.UNKNOWN,
                expired,
                sum.resolvedTwice);
    }

    private static long saturated(long a, long b) {
        return a + b < 0 ? Long.MAX_VALUE : a + b;
    }

    /** Messages with our tag that no producer of ours sent. */
    private long neverSent() {
        long strangers = 0;
        for (var entry : reads.entrySet()) {
            SentLedger sender = senders.get(entry.getKey());
            long from = sender == null ? 0 : sender.endOf(Integer.MAX_VALUE);
            strangers += entry.getValue().seen().distinct().count(from, Long.MAX_VALUE);
        }
        return strangers;
    }

    /** Some lost and duplicated messages by name, at most {@code limit} lines of each. */
    public List<String> examples(int first, int last, int limit) {
        List<String> lines = new ArrayList<>();
        Balance balance = balance(first, last);
        for (SentLedger sender : senders.values()) {
            Sequences seen = reads.getOrDefault(sender.producer(), new ProducerReads())
                    .seen()
                    .distinct();
            if (balance.lost() > 0) {
                String word = balance.unread() + balance.expired() > 0 ? "lost, unread or expired" : "lost";
                name(lines, limit, word, sender, sender.acked(), seen, first, last);
            }
        }
        int before = lines.size();
        for (SentLedger sender : senders.values()) {
            ProducerReads seen = reads.getOrDefault(sender.producer(), new ProducerReads());
            if (balance.duplicated() > 0) {
                name(
                        lines,
                        before + limit,
                        "duplicated",
                        sender,
                        seen.seen().repeated(),
                        seen.reread().distinct(),
                        first,
                        last);
            }
        }
        return lines;
    }

    /** Names the runs of those that are in one set and not in the other. */
    private static void name(
            List<String> lines,
            int limit,
            String word,
            SentLedger sender,
            Sequences in,
            Sequences out,
            int first,
            int last) {
        long to = sender.endOf(last);
        long next = in.next(sender.firstOf(first));
        while (next < to && lines.size() < limit) {
            if (out.contains(next)) {
                next = in.next(out.nextAbsent(next));
                continue;
            }
            long end = Math.min(to, Math.min(in.nextAbsent(next), out.next(next)));
            String messages = end - next == 1 ? "message " + next : "messages " + next + " to " + (end - 1);
            lines.add(word + ": producer " + sender.producer() + ", " + messages);
            next = in.next(end);
        }
    }

    /** Both together; no producer may be in both. */
    public Ledger plus(Ledger other) {
        TreeSet<String> all = new TreeSet<>(names);
        all.addAll(other.names);
        Ledger sum = new Ledger(List.copyOf(all));
        sum.addAll(this);
        sum.addAll(other);
        return sum;
    }

    private void addAll(Ledger other) {
        other.senders.values().forEach(this::add);
        other.reads.forEach((producer, seen) -> reads(producer).addAll(seen));
        Map<String, PartitionReads> byName = new HashMap<>();
        for (int i = 0; i < partitions.length; i++) {
            byName.put(names.get(i), partitions[i]);
        }
        int[] indexes = new int[other.partitions.length];
        for (int i = 0; i < other.partitions.length; i++) {
            byName.getOrDefault(other.names.get(i), new PartitionReads()).addAll(other.partitions[i]);
            indexes[i] = names.indexOf(other.names.get(i));
            stood[indexes[i]] = Math.max(stood[indexes[i]], other.stood[i]);
        }
        places.addAll(other.places, indexes);
        committedReads |= other.committedReads;
    }

    public void write(DataOutput out) throws IOException {
        out.writeByte(FORM);
        Varint.write(out, names.size());
        for (int i = 0; i < partitions.length; i++) {
            out.writeUTF(names.get(i));
            partitions[i].write(out);
            Varint.write(out, stood[i] + 1);
        }
        out.writeBoolean(committedReads);
        places.write(out);
        Varint.write(out, senders.size());
        for (SentLedger sender : senders.values()) {
            sender.write(out);
        }
        Varint.write(out, reads.size());
        for (var entry : reads.entrySet()) {
            Varint.write(out, entry.getKey());
            entry.getValue().write(out);
        }
    }

    /** Reads what {@link #write} wrote; throws IOException at anything else, before it allocates. */
    public static Ledger read(DataInput in) throws IOException {
        int form = in.readByte();
        if (form != FORM) {
            throw new IOException("a ledger of form " + form + ", where " + FORM + " is understood");
        }
        List<String> names = new ArrayList<>();
        List<PartitionReads> partitions = new ArrayList<>();
        List<Long> stood = new ArrayList<>();
        for (int left = Varint.read(in, MAX_PARTITIONS, "partitions"); left > 0; left--) {
            names.add(in.readUTF());
            partitions.add(PartitionReads.read(in));
            stood.add(Varint.read(in) - 1);
        }
        Ledger read = new Ledger(names);
        for (int i = 0; i < partitions.size(); i++) {
            read.partitions[i].addAll(partitions.get(i));
            read.stood[i] = stood.get(i);
        }
        read.committedReads = in.readBoolean();
        read.places.addAll(
                Places.read(in, partitions.size()),
                IntStream.range(0, partitions.size()).toArray());
        for (int left = Varint.read(in, ReadLedger.MAX_PRODUCERS, "producers"); left > 0; left--) {
            SentLedger sender = SentLedger.read(in);
            if (read.senders.putIfAbsent(sender.producer(), sender) != null) {
                throw new IOException("producer " + sender.producer() + " is there twice");
            }
        }
        for (int left = Varint.read(in, ReadLedger.MAX_PRODUCERS, "producers"); left > 0; left--) {
            int producer = Varint.read(in, ReadLedger.MAX_PRODUCERS, "as a producer");
            read.reads(producer).addAll(ProducerReads.read(in));
        }
        return read;
    }

    /** What producers and readers say about some steps. */
    private static final class Sum {
        long due;
        long unsent;
        long sent;
        long acked;
        long failed;
        long aborted;
        long unresolved;
        long received;
        long absent;
        long again;
        long reread;
        long reordered;
        long ghosts;
        long resolvedTwice;
        int lastStep;

        void add(SentLedger sender, ProducerReads reads, int first, int last) {
            long from = sender.firstOf(first);
            long to = Math.max(from, sender.endOf(last));
            due += sender.wanted(first, last);
            unsent += sender.givenUp(first, last);
            sent += to - from;
            acked += sender.acked().count(from, to);
            failed += sender.failed().count(from, to);
            aborted += sender.aborted().count(from, to);
            unresolved += sender.unresolved().count(from, to);
            resolvedTwice += sender.resolvedTwice(from, to);
            lastStep = Math.max(lastStep, sender.lastStep());
            Sequences seen = reads.seen().distinct();
            received += seen.count(from, to);
            absent += sender.acked().count(from, to) - sender.acked().countBoth(seen, from, to);
            again += reads.seen().again(from, to);
            reread += reads.reread().times(from, to);
            reordered += reads.reordered().count(from, to);
            ghosts += sender.failed().countBoth(seen, from, to);
        }

        /** Arrivals after the first that are not known to be rereads. */
        long excess() {
            return again - reread;
        }
    }
}

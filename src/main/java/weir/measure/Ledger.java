package weir.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The record of every message's outcome. During the load, threads use only their own {@link SentLedger} and {@link
 * ReadLedger}. All other methods are called after the threads have ended.
 */
public final class Ledger {
    /** The unknown end of a partition that no reader has reached. */
    public static final long NO_END = Long.MAX_VALUE - 1;

    public static final String ADDED = "partitions were added: ";

    private static final int FORM = 3;
    private static final int EXAMPLES = 10;
    private static final int MAX_PARTITIONS = 1_000_000;

    private final List<String> names = new ArrayList<>();

    private final List<PartitionReads> partitions = new ArrayList<>();
    private final TreeMap<Integer, SentLedger> senders = new TreeMap<>();
    private final TreeMap<Integer, ProducerReads> reads = new TreeMap<>();
    private final ViolationOffsets places = new ViolationOffsets();
    private boolean committedReads;
    private boolean shares;
    private long nameless = Balance.UNKNOWN;

    public Ledger(List<String> partitions) {
        know(partitions);
    }

    /** Sets the names of all partitions, added partitions last. */
    public synchronized void know(List<String> all) {
        for (String added : all.subList(names.size(), all.size())) {
            names.add(added);
            partition(names.size() - 1);
        }
    }

    private synchronized PartitionReads partition(int index) {
        while (partitions.size() <= index) {
            partitions.add(new PartitionReads());
        }
        return partitions.get(index);
    }

    /** Judges the transactions if readers read only committed records. If not, counts them. */
    public void judgeTransactions(boolean readCommitted) {
        committedReads = readCommitted;
        places.keep();
    }

    /** Declares that the readers share the partitions as members of a share group, so that deliveries count. */
    public void share() {
        shares = true;
    }

    /** The ledger of one producer. The number of a producer is unique over all workers. */
    public synchronized SentLedger sender(int producer) {
        SentLedger sender = new SentLedger(producer);
        add(sender);
        return sender;
    }

    private void add(SentLedger sender) {
        if (senders.putIfAbsent(sender.producer, sender) != null) {
            throw new IllegalArgumentException("producer " + sender.producer + " is already in the ledger");
        }
    }

    public ReadLedger reader() {
        return new ReadLedger(this::partition, this::reads, places);
    }

    private synchronized ProducerReads reads(int producer) {
        return reads.computeIfAbsent(producer, p -> new ProducerReads());
    }

    /** Sets the offset after the last readable record of a partition, queried after the producers were closed. */
    public void end(int partition, long endOffset) {
        partition(partition).end(endOffset);
    }

    public void stood(int partition, long offset) {
        partition(partition).stood(offset);
    }

    /** Declares a dead letter sink, which contains this many messages without a readable identity. */
    public void parks(long messages) {
        nameless = messages;
    }

    public Atomicity atomicity() {
        long unseen = 0;
        for (PartitionReads partition : partitions) {
            unseen = Account.saturated(Account.saturated(unseen, partition.tail()), partition.expired);
        }
        long[] stood =
                partitions.stream().mapToLong(partition -> partition.stood).toArray();
        AtomicityCheck check = new AtomicityCheck(names, stood, places, unseen);
        for (SentLedger sender : senders.values()) {
            Sequences seen = reads.getOrDefault(sender.producer, new ProducerReads())
                    .seen
                    .distinct();
            check.add(
                    sender,
                    seen,
                    committedReads && read() && sender.transactions().some());
        }
        // The backlog of a stream's source belongs to no transaction, and no reader checks it.
        return check.result(() -> examples(Steps.WARMUP, Integer.MAX_VALUE, EXAMPLES));
    }

    private boolean read() {
        return partitions.stream().anyMatch(p -> p.position != PartitionReads.NOWHERE) || !reads.isEmpty();
    }

    public Balance balance(int first, int last) {
        Account some = new Account();
        Account all = new Account();
        for (SentLedger sender : senders.values()) {
            ProducerReads seen = reads.getOrDefault(sender.producer, new ProducerReads());
            some.add(sender, seen, first, last);
            all.add(sender, seen, 0, Integer.MAX_VALUE);
        }
        boolean whole = last >= all.lastStep && first <= Steps.MEASURE;
        return read()
                ? some.withReads(all, partitions, whole ? foreign() : Balance.UNKNOWN, nameless, shares)
                : some.withoutReads();
    }

    public Balance balance(int step) {
        return balance(step, step);
    }

    private long foreign() {
        long strangers =
                partitions.stream().mapToLong(partition -> partition.foreign).sum();
        for (var entry : reads.entrySet()) {
            SentLedger sender = senders.get(entry.getKey());
            long from = sender == null ? 0 : sender.endOf(Integer.MAX_VALUE);
            strangers += entry.getValue().seen.distinct().count(from, Long.MAX_VALUE);
        }
        return strangers;
    }

    public List<String> examples(int first, int last, int limit) {
        Balance balance = balance(first, last);
        boolean unsure = balance.of(Count.UNREAD) + balance.of(Count.EXPIRED) > 0;
        String parked = nameless <= 0 ? "" : unsure ? ", parked" : " or parked";
        String gone = "lost" + parked + (unsure ? ", unread or expired" : "");
        Examples lost = new Examples(gone, first, last, limit, new ArrayList<>());
        Examples duplicated = new Examples("duplicated", first, last, limit, new ArrayList<>());
        for (SentLedger sender : senders.values()) {
            ProducerReads seen = reads.getOrDefault(sender.producer, new ProducerReads());
            if (balance.of(Count.LOST) > 0) {
                lost.name(sender, sender.acked, seen.known());
            }
            if (balance.of(Count.DUPLICATED) > 0) {
                duplicated.name(sender, seen.seen.repeated(), seen.reread.distinct());
            }
        }
        return Stream.of(lost, duplicated).flatMap(of -> of.lines.stream()).toList();
    }

    /** The sum of both ledgers, which must have different producers. */
    public Ledger plus(Ledger other) {
        TreeSet<String> all = new TreeSet<>(names);
        all.addAll(other.names);
        Ledger sum = new Ledger(List.copyOf(all));
        sum.addAll(this);
        sum.addAll(other);
        return sum;
    }

    /** The sum of both ledgers as in {@link #plus}, without copying. Neither ledger may be used afterwards. */
    public Ledger with(Ledger other) {
        if (!names.equals(other.names)) {
            return plus(other);
        }
        addAll(other);
        return this;
    }

    private void addAll(Ledger other) {
        other.senders.values().forEach(this::add);
        other.reads.forEach((producer, seen) -> reads(producer).addAll(seen));
        Map<String, Integer> byName = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            byName.put(names.get(i), i);
        }
        int[] indexes = new int[other.partitions.size()];
        for (int i = 0; i < indexes.length; i++) {
            int at = Objects.requireNonNull(byName.get(other.names.get(i)));
            partitions.get(at).addAll(other.partitions.get(i));
            indexes[i] = at;
        }
        places.addAll(other.places, indexes);
        committedReads |= other.committedReads;
        shares |= other.shares;
        if (other.nameless != Balance.UNKNOWN) {
            nameless = Math.max(0, nameless) + other.nameless;
        }
    }

    public void write(DataOutput out) throws IOException {
        out.writeByte(FORM);
        Varint.write(out, names.size());
        for (int i = 0; i < names.size(); i++) {
            out.writeUTF(names.get(i));
            partitions.get(i).write(out);
            Varint.write(out, partitions.get(i).stood + 1);
        }
        out.writeBoolean(committedReads);
        out.writeBoolean(shares);
        Varint.write(out, nameless + 1);
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

    /** Reads what {@link #write} wrote; throws IOException for other bytes, before it allocates memory. */
    public static Ledger read(DataInput in) throws IOException {
        int form = in.readByte();
        if (form != FORM) {
            throw new IOException("the ledger has format " + form + "; only " + FORM + " is supported");
        }
        List<String> names = new ArrayList<>();
        List<PartitionReads> partitions = new ArrayList<>();
        for (int left = Varint.read(in, MAX_PARTITIONS, "partitions"); left > 0; left--) {
            names.add(in.readUTF());
            PartitionReads one = PartitionReads.read(in);
            one.stood(Varint.read(in) - 1);
            partitions.add(one);
        }
        Ledger read = new Ledger(names);
        for (int i = 0; i < partitions.size(); i++) {
            read.partitions.get(i).addAll(partitions.get(i));
        }
        read.committedReads = in.readBoolean();
        read.shares = in.readBoolean();
        read.nameless = Varint.read(in) - 1;
        read.places.addAll(
                ViolationOffsets.read(in, partitions.size()),
                IntStream.range(0, partitions.size()).toArray());
        for (int left = Varint.read(in, ReadLedger.MAX_PRODUCERS, "producers"); left > 0; left--) {
            SentLedger sender = SentLedger.read(in);
            if (read.senders.putIfAbsent(sender.producer, sender) != null) {
                throw new IOException("producer " + sender.producer + " is there twice");
            }
        }
        for (int left = Varint.read(in, ReadLedger.MAX_PRODUCERS, "producers"); left > 0; left--) {
            int producer = Varint.read(in, ReadLedger.MAX_PRODUCERS, "as a producer");
            read.reads(producer).addAll(ProducerReads.read(in));
        }
        return read;
    }

    static final class Account {
        private final Map<Count, Long> counts = new EnumMap<>(Count.class);
        private long absent;

        private long parked;
        private long unaccepted;
        private long rejected;
        private long again;
        private long resolvedTwice;
        int lastStep;

        Account() {
            for (Count count : Count.LEDGER) {
                counts.put(count, 0L);
            }
        }

        void add(SentLedger sender, ProducerReads reads, int first, int last) {
            long from = sender.firstOf(first);
            long to = Math.max(from, sender.endOf(last));
            add(Count.DUE, sender.wanted(first, last));
            add(Count.UNSENT, sender.givenUp(first, last));
            add(Count.SENT, to - from);
            add(Count.ACKED, sender.acked.count(from, to));
            add(Count.FAILED, sender.failed.count(from, to));
            add(Count.ABORTED, sender.aborted.count(from, to));
            add(Count.UNRESOLVED, sender.unresolved.count(from, to));
            resolvedTwice += sender.resolvedTwice(from, to);
            lastStep = Math.max(lastStep, sender.step);
            Sequences seen = reads.seen.distinct();
            add(Count.RECEIVED, seen.count(from, to));
            long arrived = sender.acked.countBoth(seen, from, to);
            long known = reads.parked.empty() ? arrived : sender.acked.countBoth(reads.known(), from, to);
            parked += known - arrived;
            absent += sender.acked.count(from, to) - known;
            Count.OF_DELIVERIES.forEach(what -> add(what, reads.deliveries(what).times(from, to)));
            // Brokers also confirm the acknowledgement of a lock that has ended, if the record is complete by then.
            Sequences accepted = reads.deliveries(Count.ACCEPTED).distinct();
            add(Count.ACCEPTED, -reads.deliveries(Count.ACCEPTED).again(from, to));
            add(Count.ACQUIRED, reads.seen.times(from, to));
            unaccepted += known - ackedAnd(Count.ACCEPTED, sender, reads, from, to);
            rejected += ackedAnd(Count.REJECTED, sender, reads, from, to)
                    - accepted.countBoth(reads.deliveries(Count.REJECTED).distinct(), from, to);
            again += reads.seen.again(from, to);
            add(Count.REREAD, reads.reread.times(from, to));
            add(Count.REORDERED, reads.reordered.count(from, to));
            add(Count.GHOSTS, sender.failed.countBoth(seen, from, to));
        }

        private static long ackedAnd(Count what, SentLedger sender, ProducerReads reads, long from, long to) {
            return sender.acked.countBoth(reads.deliveries(what).distinct(), from, to);
        }

        private void add(Count count, long more) {
            counts.merge(count, more, Long::sum);
        }

        private long reread() {
            return counts.getOrDefault(Count.REREAD, 0L);
        }

        private long excess() {
            return again - reread();
        }

        Balance withoutReads() {
            Map<Count, Long> all = new EnumMap<>(counts);
            all.keySet().removeIf(Count::reportedByReaders);
            return new Balance(all, resolvedTwice);
        }

        // Absent messages may be among the unnamed messages of a dead letter sink. They may also be after a reader's
        // last position, or may have expired, because an absent message has no known offset. The check assumes this for
        // as many messages as possible. The rest is proven to be lost.
        /**
         * Adds the readers' counts. {@code foreign} messages are from senders outside of this run. {@code nameless}
         * counts unnamed messages in the dead letter sink, {@link Balance#UNKNOWN} without a sink. In a share group,
         * the known messages that no reader received were found in the log.
         */
        Balance withReads(Account all, List<PartitionReads> partitions, long foreign, long nameless, boolean shares) {
            long tail = 0;
            long gone = 0;
            long unnamed = 0;
            for (PartitionReads partition : partitions) {
                tail = saturated(tail, partition.tail());
                gone += partition.expired;
                unnamed += partition.rereadUnnamed;
            }
            long sunk = Math.min(absent, Math.max(0, nameless));
            long stored = shares ? parked : 0;
            long unread = Math.min(absent - sunk + stored, tail);
            long missing = absent - sunk - Math.max(0, unread - stored);
            long expired = Math.min(missing, gone);
            boolean placed = unnamed == 0 || excess() == 0 || excess() == all.excess();
            long here = excess() == 0 ? 0 : Math.min(unnamed, excess());
            Map<Count, Long> complete = new EnumMap<>(counts);
            complete.put(Count.UNREAD, unread);
            complete.put(Count.LOST, missing - expired);
            complete.put(Count.PARKED, nameless == Balance.UNKNOWN ? Balance.UNKNOWN : parked + sunk);
            // Brokers tell which deliveries of a share group repeat an earlier delivery.
            long repeated = Math.min(again, counts.getOrDefault(Count.REDELIVERED, 0L));
            complete.put(Count.DUPLICATED, placed ? excess() - here : shares ? again - repeated : Balance.UNKNOWN);
            complete.put(Count.REREAD, placed ? reread() + here : shares ? repeated : Balance.UNKNOWN);
            complete.put(Count.FOREIGN, foreign);
            complete.put(Count.EXPIRED, expired);
            if (shares) {
                complete.put(Count.LOCK_EXPIRED, complete.getOrDefault(Count.ACQUIRED, 0L) - acknowledged(complete));
                complete.put(Count.ARCHIVED, Math.max(rejected, unaccepted - tail));
            } else {
                Count.OF_SHARE_GROUPS.forEach(complete::remove);
            }
            return new Balance(complete, resolvedTwice);
        }

        private static long acknowledged(Map<Count, Long> counts) {
            return Stream.of(Count.ACCEPTED, Count.RELEASED, Count.REJECTED)
                    .mapToLong(what -> counts.getOrDefault(what, 0L))
                    .sum();
        }

        static long saturated(long a, long b) {
            return a + b < 0 ? Long.MAX_VALUE : a + b;
        }
    }

    /** Examples of messages with one kind of fault, by name. Consecutive messages share a line. */
    private record Examples(String word, int first, int last, int limit, List<String> lines) {
        void name(SentLedger sender, Sequences in, Sequences out) {
            long to = sender.endOf(last);
            long next = in.next(sender.firstOf(first));
            while (next < to && lines.size() < limit) {
                if (out.contains(next)) {
                    next = in.next(out.nextAbsent(next));
                    continue;
                }
                long end = Math.min(to, Math.min(in.nextAbsent(next), out.next(next)));
                String messages = end - next == 1 ? "message " + next : "messages " + next + " to " + (end - 1);
                lines.add(word + ": producer " + sender.producer + ", " + messages);
                next = in.next(end);
            }
        }
    }
}

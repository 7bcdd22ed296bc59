package weir.measure;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The statements of producers and readers about the messages of some steps, added up into a {@link Balance}. */
final class Account {
    private final Map<Count, Long> counts = new EnumMap<>(Count.class);
    /** Acked, and neither received nor found in the dead letter sink. */
    private long absent;

    private long parked;
    private long again;
    private long resolvedTwice;
    private int lastStep;

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
        add(Count.ACKED, sender.acked().count(from, to));
        add(Count.FAILED, sender.failed().count(from, to));
        add(Count.ABORTED, sender.aborted().count(from, to));
        add(Count.UNRESOLVED, sender.unresolved().count(from, to));
        resolvedTwice += sender.resolvedTwice(from, to);
        lastStep = Math.max(lastStep, sender.lastStep());
        Sequences seen = reads.seen().distinct();
        add(Count.RECEIVED, seen.count(from, to));
        long arrived = sender.acked().countBoth(seen, from, to);
        long known = reads.parked().empty() ? arrived : sender.acked().countBoth(reads.known(), from, to);
        parked += known - arrived;
        absent += sender.acked().count(from, to) - known;
        again += reads.seen().again(from, to);
        add(Count.REREAD, reads.reread().times(from, to));
        add(Count.REORDERED, reads.reordered().count(from, to));
        add(Count.GHOSTS, sender.failed().countBoth(seen, from, to));
    }

    private void add(Count count, long more) {
        counts.merge(count, more, Long::sum);
    }

    private long reread() {
        return counts.getOrDefault(Count.REREAD, 0L);
    }

    /** Arrivals after the first that are not known to be rereads. */
    private long excess() {
        return again - reread();
    }

    /** The last step in which anything was due. */
    int lastStep() {
        return lastStep;
    }

    /** Where nobody has read. */
    Balance withoutReads() {
        Map<Count, Long> told = new EnumMap<>(counts);
        told.keySet().removeIf(Count::toldByReaders);
        return new Balance(told, resolvedTwice);
    }

    // A dead letter sink that tells no names has so many of the absent messages as it counts. Which of the others lie
    // behind the point where a reader stopped, or were removed before it came, nobody
    // knows: partitions are known by offsets, and what is absent has none. So as many as can are taken to be there;
    // what is left over is proven to be lost.
    /**
     * {@code all} is the account of all steps, {@code foreign} what was read that nobody here sent, {@code nameless} what is
     * in the dead letter sink under no name, {@link Balance#UNKNOWN} where there is none.
     */
    Balance withReads(Account all, List<PartitionReads> partitions, long foreign, long nameless) {
        long tail = 0;
        long gone = 0;
        long unnamed = 0;
        for (PartitionReads partition : partitions) {
            tail = saturated(tail, partition.tail());
            gone += partition.expired();
            unnamed += partition.rereadUnnamed();
        }
        long sunk = Math.min(absent, Math.max(0, nameless));
        long unread = Math.min(absent - sunk, tail);
        long expired = Math.min(absent - sunk - unread, gone);
        boolean placed = unnamed == 0 || excess() == 0 || excess() == all.excess();
        long here = excess() == 0 ? 0 : Math.min(unnamed, excess());
        Map<Count, Long> told = new EnumMap<>(counts);
        told.put(Count.UNREAD, unread);
        told.put(Count.LOST, absent - sunk - unread - expired);
        told.put(Count.PARKED, nameless == Balance.UNKNOWN ? Balance.UNKNOWN : parked + sunk);
        told.put(Count.DUPLICATED, placed ? excess() - here : Balance.UNKNOWN);
        told.put(Count.REREAD, placed ? reread() + here : Balance.UNKNOWN);
        told.put(Count.FOREIGN, foreign);
        told.put(Count.EXPIRED, expired);
        return new Balance(told, resolvedTwice);
    }

    /** A sum that stays at the most there is. */
    static long saturated(long a, long b) {
        return a + b < 0 ? Long.MAX_VALUE : a + b;
    }
}

package weir.measure;

/** The statements of producers and readers about the messages of some steps, added up into a {@link Balance}. */
final class Account {
    private long due;
    private long unsent;
    private long sent;
    private long acked;
    private long failed;
    private long aborted;
    private long unresolved;
    private long received;
    private long absent;
    private long again;
    private long reread;
    private long reordered;
    private long ghosts;
    private long resolvedTwice;
    private int lastStep;

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
    private long excess() {
        return again - reread;
    }

    /** The last step in which anything was due. */
    int lastStep() {
        return lastStep;
    }

    /** Where nobody has read. */
    Balance withoutReads() {
        long no = Balance.UNKNOWN;
        return new Balance(
                due,
                unsent,
                sent,
                acked,
                failed,
                aborted,
                unresolved,
                no,
                no,
                no,
                no,
                no,
                no,
                no,
                no,
                no,
                resolvedTwice);
    }

    // Which of the absent messages lie behind the point where a reader stopped, or were removed before it came, nobody
    // knows: partitions are known by offsets, and what is absent has none. So as many as can are taken to be there;
    // what
    // is left over is proven to be lost.
    /** {@code all} is the account of all steps, {@code foreign} what was read that nobody here sent. */
    Balance withReads(Account all, PartitionReads[] partitions, long foreign) {
        long tail = 0;
        long gone = 0;
        long unnamed = 0;
        for (PartitionReads partition : partitions) {
            tail = saturated(tail, partition.tail());
            gone += partition.expired();
            unnamed += partition.rereadUnnamed();
        }
        long unread = Math.min(absent, tail);
        long expired = Math.min(absent - unread, gone);
        boolean placed = unnamed == 0 || excess() == 0 || excess() == all.excess();
        long here = excess() == 0 ? 0 : Math.min(unnamed, excess());
        return new Balance(
                due,
                unsent,
                sent,
                acked,
                failed,
                aborted,
                unresolved,
                received,
                unread,
                absent - unread - expired,
                placed ? excess() - here : Balance.UNKNOWN,
                placed ? reread + here : Balance.UNKNOWN,
                reordered,
                ghosts,
                foreign,
                expired,
                resolvedTwice);
    }

    /** A sum that stays at the most there is. */
    static long saturated(long a, long b) {
        return a + b < 0 ? Long.MAX_VALUE : a + b;
    }
}

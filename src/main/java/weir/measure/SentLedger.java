package weir.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * The outcomes of one producer's messages. The sending thread calls {@link #due}, {@link #next} and {@link #unsent}. The
 * acknowledging thread calls {@link #acked}. Both threads may call all other methods. The ledger is read after both
 * threads have ended.
 */
public final class SentLedger {
    private static final int MAX_STEPS = 100_000;
    private static final long NEVER_SENT = -1;

    final int producer;
    final Sequences acked = new Sequences();
    final Sequences failed = new Sequences();
    final Sequences aborted = new Sequences();
    final Sequences unresolved = new Sequences();
    private SentTransactions transactions = new SentTransactions();
    private long[] due = new long[4];
    private long[] unsent = new long[4];
    private long[] firsts = {NEVER_SENT, NEVER_SENT, NEVER_SENT, NEVER_SENT};

    int step;
    private long next;
    private long ackedAgain;
    private long endedAgain;

    SentLedger(int producer) {
        if (producer < 0) {
            throw new IllegalArgumentException("a producer number must be at least 0, found " + producer);
        }
        this.producer = producer;
    }

    public SentTransactions transactions() {
        return transactions;
    }

    public void due(int dueStep, int count) {
        reach(dueStep);
        due[dueStep] += count;
    }

    /** Takes the numbers of {@code count} messages that are sent now; returns the first. Steps must not decrease. */
    public long next(int sentStep, int count) {
        if (sentStep < step) {
            throw new IllegalArgumentException("step " + sentStep + " after step " + step);
        }
        reach(sentStep);
        step = sentStep;
        if (firsts[step] == NEVER_SENT) {
            firsts[step] = next;
        }
        long first = next;
        next += count;
        return first;
    }

    public void unsent(int dueStep, int count) {
        reach(dueStep);
        unsent[dueStep] += count;
    }

    public void acked(long first, int count) {
        ackedAgain += acked.add(first, count);
    }

    public synchronized void failed(long first, int count) {
        endedAgain += failed.add(first, count);
    }

    public synchronized void aborted(long first, int count) {
        endedAgain += aborted.add(first, count);
    }

    public synchronized void unresolved(long first, int count) {
        endedAgain += unresolved.add(first, count);
    }

    private void reach(int wanted) {
        if (wanted < 0 || wanted >= MAX_STEPS) {
            throw new IllegalArgumentException("steps count from 0 to " + (MAX_STEPS - 1) + ", got " + wanted);
        }
        if (wanted >= due.length) {
            int before = due.length;
            int length = Math.max(2 * before, wanted + 1);
            due = Arrays.copyOf(due, length);
            unsent = Arrays.copyOf(unsent, length);
            firsts = Arrays.copyOf(firsts, length);
            Arrays.fill(firsts, before, length, NEVER_SENT);
        }
    }

    long firstOf(int wanted) {
        for (int i = Math.max(0, wanted); i < firsts.length; i++) {
            if (firsts[i] != NEVER_SENT) {
                return firsts[i];
            }
        }
        return next;
    }

    long endOf(int wanted) {
        return wanted == Integer.MAX_VALUE ? next : firstOf(wanted + 1);
    }

    long wanted(int first, int last) {
        return sum(due, first, last);
    }

    long givenUp(int first, int last) {
        return sum(unsent, first, last);
    }

    private static long sum(long[] counts, int first, int last) {
        long sum = 0;
        for (int i = Math.max(0, first); i < counts.length && i <= last; i++) {
            sum += counts[i];
        }
        return sum;
    }

    /** Counts messages in {@code [from, to)} with two outcomes, with a repeated outcome, or that were never sent. */
    long resolvedTwice(long from, long to) {
        long twice = ackedAgain + endedAgain;
        List<Sequences> ends = ends();
        for (int i = 0; i < ends.size(); i++) {
            for (Sequences other : ends.subList(0, i)) {
                twice += ends.get(i).countBoth(other, from, to);
            }
            twice += ends.get(i).count(next, Long.MAX_VALUE);
        }
        return twice;
    }

    private List<Sequences> ends() {
        return List.of(acked, failed, aborted, unresolved);
    }

    void write(DataOutput out) throws IOException {
        Varint.write(out, producer);
        Varint.write(out, next);
        Varint.write(out, step);
        Varint.write(out, ackedAgain);
        Varint.write(out, endedAgain);
        Varint.write(out, due.length);
        for (int i = 0; i < due.length; i++) {
            Varint.write(out, due[i]);
            Varint.write(out, unsent[i]);
            Varint.write(out, firsts[i] + 1);
        }
        for (Sequences end : ends()) {
            end.write(out);
        }
        transactions.write(out);
    }

    static SentLedger read(DataInput in) throws IOException {
        SentLedger read = new SentLedger(Varint.read(in, Integer.MAX_VALUE, "as a producer"));
        read.next = Varint.read(in);
        read.step = Varint.read(in, MAX_STEPS, "as a step");
        read.ackedAgain = Varint.read(in);
        read.endedAgain = Varint.read(in);
        int steps = Varint.read(in, 2 * MAX_STEPS, "steps");
        for (int i = 0; i < steps; i++) {
            if (i < MAX_STEPS) {
                read.reach(i);
            }
            read.due[i] = Varint.read(in);
            read.unsent[i] = Varint.read(in);
            read.firsts[i] = Varint.read(in) - 1;
        }
        for (Sequences end : read.ends()) {
            end.addAll(Sequences.read(in));
        }
        read.transactions = SentTransactions.read(in);
        return read;
    }
}

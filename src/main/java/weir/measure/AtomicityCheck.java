package weir.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A comparison of the sent transactions with the records that readers of committed records saw. A missing message is no
 * violation if it may be after the last read offset, or may have expired.
 */
final class AtomicityCheck {
    private static final int EXAMPLES = 10;

    private final List<String> names;
    private final long[] stood;
    private final ViolationOffsets places;
    private final long unseen;

    private final List<String> violations = new ArrayList<>();
    private final Map<Integer, Source> sources = new TreeMap<>();
    private long transactions;
    private long aborted;
    private long fenced;
    private long timedOut;
    private long abortedReads;
    private long torn;
    private long twice;
    private boolean judges;

    private static final class Source {
        final Sequences read = new Sequences();
        final Sequences seen = new Sequences();
    }

    /** Creates the check. {@code stood} contains the committed offsets of a stream's group, -1 for none. */
    AtomicityCheck(List<String> names, long[] stood, ViolationOffsets places, long unseen) {
        this.names = names;
        this.stood = stood;
        this.places = places;
        this.unseen = unseen;
    }

    void add(SentLedger sender, Sequences seen, boolean committedReads) {
        SentTransactions sent = sender.transactions();
        transactions += sent.committed;
        aborted += sent.aborted;
        fenced += sent.fenced;
        timedOut += sent.timedOut;
        judges |= committedReads;
        if (committedReads) {
            abortedReads(sender.producer, sent, seen);
            torn(sender, seen);
            sent.taken.forEach(run -> taken(sender.producer, run, seen));
        }
    }

    private void abortedReads(int producer, SentTransactions sent, Sequences seen) {
        long all = sent.withdrawn.countBoth(seen, 0, Long.MAX_VALUE);
        abortedReads += all;
        long next = sent.withdrawn.next(0);
        for (long named = 0; named < Math.min(all, EXAMPLES); next = sent.withdrawn.next(next + 1)) {
            if (seen.contains(next)) {
                violations.add("aborted read: " + place(producer, next) + ", whose transaction was aborted");
                named++;
            }
        }
    }

    private void torn(SentLedger sender, Sequences seen) {
        Sequences firsts = sender.transactions().firsts;
        long first = firsts.next(0);
        while (first < Long.MAX_VALUE) {
            long next = firsts.next(first + 1);
            long end = Math.min(next, sender.endOf(Integer.MAX_VALUE));
            long there = seen.count(first, end);
            // An aborted transaction that was seen in part counts as an aborted read.
            if (there > 0
                    && there < end - first
                    && !sender.transactions().withdrawn.contains(first)) {
                torn++;
                if (torn > unseen && torn - unseen <= EXAMPLES) {
                    long absent = seen.nextAbsent(first);
                    violations.add("torn: in the transaction of messages " + first + " to " + (end - 1) + ", "
                            + place(sender.producer, seen.next(first)) + " was seen, message " + absent + " was not");
                }
            }
            first = next;
        }
    }

    private void taken(int producer, SentTransactions.OpenMessages run, Sequences seen) {
        Source source = sources.computeIfAbsent(run.partition, partition -> new Source());
        for (long i = 0; i < run.count; i++) {
            long offset = run.offset + i;
            source.read.add(offset, 1);
            if (seen.contains(run.sequence + i) && source.seen.add(offset, 1) > 0) {
                if (twice++ < EXAMPLES) {
                    violations.add("duplicated: " + names.get(run.partition) + "@" + offset + " was written again as "
                            + place(producer, run.sequence + i));
                }
            }
        }
    }

    private String place(int producer, long sequence) {
        return places.of(producer, sequence, names) + " (producer " + producer + ", message " + sequence + ")";
    }

    Atomicity result(Supplier<List<String>> examples) {
        long without = 0;
        long ahead = 0;
        boolean known = false;
        for (var entry : sources.entrySet()) {
            long committed = stood[entry.getKey()];
            if (committed >= 0) {
                known = true;
                Source source = entry.getValue();
                String name = names.get(entry.getKey());
                long next = source.read.next(0);
                long before = without;
                for (; next < committed; next = source.read.next(next + 1)) {
                    if (!source.seen.contains(next) && ++without > unseen && without - before <= EXAMPLES) {
                        violations.add("lost: the offset of " + name + "@" + next + " is committed (the group is at"
                                + " " + committed + "), but readers saw no record of it");
                    }
                }
                ahead += ahead(source, committed, name);
            }
        }
        if (judges) {
            violations.addAll(examples.get());
        }
        return new Atomicity(
                transactions,
                aborted,
                fenced,
                timedOut,
                judges ? (Long) abortedReads : null,
                judges ? (Long) Math.max(0, torn - unseen) : null,
                known ? (Long) Math.max(0, without - unseen) : null,
                known ? (Long) ahead : null,
                judges && !sources.isEmpty() ? (Long) twice : null,
                violations);
    }

    private long ahead(Source source, long committed, String name) {
        long ahead = source.seen.count(committed, Long.MAX_VALUE);
        long next = source.seen.next(committed);
        for (long named = 0; named < Math.min(ahead, EXAMPLES); named++, next = source.seen.next(next + 1)) {
            violations.add("torn: a record of " + name + "@" + next
                    + " was read, but its offset is not committed (the group is at " + committed + ")");
        }
        return ahead;
    }
}

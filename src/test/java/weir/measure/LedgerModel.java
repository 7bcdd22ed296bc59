package weir.measure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A ledger that stores every event in a list and counts the whole list, to check the real ledger. */
final class LedgerModel {
    final Ledger ledger;
    private final List<ReadLedger> readers = new ArrayList<>();
    private final Map<Integer, SentLedger> senders = new HashMap<>();
    private final Map<Message, String> outcomes = new HashMap<>();
    private final Map<Integer, Long> nexts = new HashMap<>();
    private final List<Read> reads = new ArrayList<>();
    private final Set<Message> parked = new HashSet<>();
    private final List<Message> reordered = new ArrayList<>();
    private final Map<List<Integer>, Place> places = new HashMap<>();
    private int due;
    private int unsent;

    record Message(int producer, long sequence, int step) {}

    /** Two messages may have been at one offset if a leader lost the first. */
    private record Read(int partition, long offset, Message message) {}

    private static final class Place {
        long next = -1;
        final Map<Integer, Long> highest = new HashMap<>();
    }

    LedgerModel(int partitions, int numberOfReaders) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            names.add("topic-" + i);
        }
        ledger = new Ledger(names);
        for (int i = 0; i < numberOfReaders; i++) {
            readers.add(ledger.reader());
        }
    }

    Message send(int producer, int step, String outcome) {
        SentLedger sender = senders.computeIfAbsent(producer, ledger::sender);
        due++;
        sender.due(step, 1);
        if (outcome.equals("unsent")) {
            unsent++;
            sender.unsent(step, 1);
            return new Message(producer, -1, step);
        }
        long sequence = sender.next(step, 1);
        nexts.put(producer, sequence + 1);
        Message message = new Message(producer, sequence, step);
        outcomes.put(message, outcome);
        switch (outcome) {
            case "acked" -> sender.acked(sequence, 1);
            case "failed" -> sender.failed(sequence, 1);
            case "aborted" -> sender.aborted(sequence, 1);
            case "unresolved" -> sender.unresolved(sequence, 1);
            default -> throw new AssertionError(outcome);
        }
        return message;
    }

    void read(int reader, int partition, long offset, Message message) {
        Place place = places.computeIfAbsent(List.of(reader, partition), p -> new Place());
        if (offset < place.next) {
            place.highest.clear();
        }
        place.next = offset + 1;
        long highest = place.highest.getOrDefault(message.producer, -1L);
        boolean seen = reads.stream().anyMatch(read -> read.message.equals(message));
        if (message.sequence < highest && !seen) {
            reordered.add(message);
        }
        place.highest.put(message.producer, Math.max(highest, message.sequence));
        reads.add(new Read(partition, offset, message));
        readers.get(reader).received(partition, offset, message.producer, message.sequence);
    }

    /** The message is in the dead letter sink, perhaps twice. */
    void park(int reader, Message message) {
        ledger.parks(0);
        parked.add(message);
        readers.get(reader).parked(message.producer, message.sequence, 1);
    }

    void handOver(int reader) {
        readers.get(reader).handOver();
    }

    void position(int reader, int partition, long position) {
        readers.get(reader).position(partition, position);
    }

    ReadLedger reader(int reader) {
        return readers.get(reader);
    }

    void handOverAll() {
        readers.forEach(ReadLedger::handOver);
    }

    private long count(String outcome, int first, int last) {
        return outcomes.entrySet().stream()
                .filter(e -> e.getValue().equals(outcome) && inside(e.getKey(), first, last))
                .count();
    }

    private static boolean inside(Message message, int first, int last) {
        return message.step >= first && message.step <= last;
    }

    /** Returns the balance that the real ledger should give if every reader reached the end. */
    Balance balance(int first, int last) {
        Map<Message, Set<List<Long>>> copies = new HashMap<>();
        Map<Message, Integer> times = new HashMap<>();
        for (Read read : reads) {
            if (inside(read.message, first, last)) {
                copies.computeIfAbsent(read.message, m -> new HashSet<>())
                        .add(List.of((long) read.partition, read.offset));
                times.merge(read.message, 1, Integer::sum);
            }
        }
        long duplicated =
                copies.values().stream().mapToLong(places -> places.size() - 1).sum();
        long reread = copies.entrySet().stream()
                .mapToLong(e -> times.getOrDefault(e.getKey(), 0) - e.getValue().size())
                .sum();
        long acked = count("acked", first, last);
        long received = copies.size();
        long ackedReceived = copies.keySet().stream()
                .filter(m -> "acked".equals(outcomes.get(m)))
                .count();
        long sunk = parked.stream()
                .filter(m -> inside(m, first, last) && "acked".equals(outcomes.get(m)) && !copies.containsKey(m))
                .count();
        long ghosts = copies.keySet().stream()
                .filter(m -> "failed".equals(outcomes.get(m)))
                .count();
        long failed = count("failed", first, last);
        long aborted = count("aborted", first, last);
        long unresolved = count("unresolved", first, last);
        return Balances.of(Map.ofEntries(
                Map.entry(Count.DUE, (long) due),
                Map.entry(Count.UNSENT, (long) unsent),
                Map.entry(Count.SENT, acked + failed + aborted + unresolved),
                Map.entry(Count.ACKED, acked),
                Map.entry(Count.FAILED, failed),
                Map.entry(Count.ABORTED, aborted),
                Map.entry(Count.UNRESOLVED, unresolved),
                Map.entry(Count.RECEIVED, received),
                Map.entry(Count.LOST, acked - ackedReceived - sunk),
                Map.entry(Count.PARKED, parked.isEmpty() ? Balance.UNKNOWN : sunk),
                Map.entry(Count.DUPLICATED, duplicated),
                Map.entry(Count.REREAD, reread),
                Map.entry(
                        Count.REORDERED,
                        reordered.stream().filter(m -> inside(m, first, last)).count()),
                Map.entry(Count.GHOSTS, ghosts)));
    }
}

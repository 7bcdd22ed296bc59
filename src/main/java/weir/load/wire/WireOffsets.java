package weir.load.wire;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import weir.time.DaemonThreads;
import weir.wire.BootstrapBroker;
import weir.wire.BrokerAccess;
import weir.wire.Call;
import weir.wire.Connection;
import weir.wire.Endpoint;

/**
 * The beginnings and ends of partitions, as their leaders report them; -1 without an answer in time. All leaders are
 * asked at once, so that a paused one delays no other.
 */
final class WireOffsets implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final long UNKNOWN = -1;

    private final PartitionLeaders leaders;
    private final BrokerAccess access;
    private final Connection.Options options;
    private final Duration patience;
    private final Map<Endpoint, BootstrapBroker> brokers = new ConcurrentHashMap<>();
    private final ExecutorService threads;

    /** @param patience the time that a leader has to answer */
    WireOffsets(PartitionLeaders leaders, BrokerAccess access, Connection.Options options, Duration patience) {
        this.leaders = leaders;
        this.access = access;
        this.options = options;
        this.patience = patience;
        this.threads = Executors.newCachedThreadPool(DaemonThreads.named("weir-offsets"));
    }

    long[] of(Call.Place place, boolean committed) {
        PartitionLeaders.View view = leaders.view();
        Map<Endpoint, List<Integer>> byLeader =
                new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
        for (int i = 0; i < view.partitions().size(); i++) {
            PartitionLeader leader = view.leader(i);
            if (!leader.none()) {
                byLeader.computeIfAbsent(leader.at(), at -> new ArrayList<>()).add(i);
            }
        }
        long[] offsets = new long[view.partitions().size()];
        Arrays.fill(offsets, UNKNOWN);
        List<Callable<Map<Integer, Long>>> questions = new ArrayList<>();
        byLeader.forEach((at, which) -> questions.add(() -> ask(at, which, place, committed)));
        try {
            for (var answer : threads.invokeAll(questions, patience.toMillis(), TimeUnit.MILLISECONDS)) {
                if (!answer.isCancelled()) {
                    answer.get().forEach((index, offset) -> offsets[index] = offset);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("asking where partitions end", e);
        }
        if (Arrays.stream(offsets).anyMatch(offset -> offset == UNKNOWN)) {
            leaders.outdated(view);
        }
        return offsets;
    }

    /** Returns nothing for a leader that does not answer: it may be away for a while, and callers retry. */
    private Map<Integer, Long> ask(Endpoint at, List<Integer> which, Call.Place place, boolean committed) {
        Map<Call.Spot, Integer> spots = new HashMap<>();
        for (int index : which) {
            LoadPartition partition = leaders.partitions().get(index);
            spots.put(new Call.Spot(partition.name(), partition.number()), index);
        }
        Map<Integer, Long> known = new TreeMap<>();
        try {
            brokers.computeIfAbsent(at, one -> new BootstrapBroker(List.of(one), access, options, patience))
                    .ask((call, limit) -> call.offsets(List.copyOf(spots.keySet()), place, committed, limit))
                    .forEach((spot, answer) -> {
                        Integer index = spots.get(spot);
                        if (index != null && answer.fault().none()) {
                            known.put(index, answer.offset());
                        }
                    });
            return known;
        } catch (IOException away) {
            return Map.of();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        brokers.values().forEach(BootstrapBroker::close);
    }
}

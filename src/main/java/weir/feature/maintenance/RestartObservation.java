package weir.feature.maintenance;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import weir.cluster.StartTimeouts;
import weir.cluster.admin.AdminAnswers;
import weir.cluster.admin.Topics;
import weir.run.disturbance.DisturbedTrial;
import weir.run.disturbance.TrialNotes;
import weir.run.lab.Lab;
import weir.wire.Endpoint;

/**
 * An observation of brokers that somebody else restarts. It marks the steps of each broker as a restart by Weir does.
 * The marks of one broker stay together: while the broker is away, the marks of other brokers wait.
 */
final class RestartObservation implements Lab.Operation {
    private static final long LOOK_NANOS = 100_000_000;
    private static final long MEMBERS_NANOS = 1_000_000_000;

    /** A single connection may also fail because a packet was lost. */
    private static final int FAILURES = 2;

    /** The end of the name of the event about an observation that ends during a restart. */
    private static final String UNFINISHED = " unfinished";

    private static final String CLUSTER = "cluster";

    private final String name;
    private final Lab lab;
    private final TrialNotes notes;
    private final View view;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final Map<Integer, Watched> brokers = new TreeMap<>();
    private final Map<Integer, List<Step>> unwritten = new LinkedHashMap<>();
    private String last = "";
    private long latest;
    private boolean catchingUp;
    private boolean over;

    /** The brokers of a cluster as its clients see them. */
    interface View extends AutoCloseable {
        /** The brokers that are in the cluster now; empty if no broker answers. */
        Map<Integer, Endpoint> brokers();

        boolean accepts(Endpoint broker);

        /** True if all replicas of the experiment's topics are in sync. */
        boolean inSync();

        @Override
        void close();
    }

    private static final class Watched {
        private Endpoint address;
        private int failures;
        private long since;

        Watched(Endpoint address) {
            this.address = address;
        }

        boolean away() {
            return failures >= FAILURES;
        }
    }

    private record Step(long nanos, String what) {}

    private RestartObservation(String name, Lab lab, TrialNotes notes, View view) {
        this.name = name;
        this.lab = lab;
        this.notes = notes;
        this.view = view;
    }

    static RestartObservation start(String name, DisturbedTrial trial) {
        Map<Integer, Endpoint> known = new TreeMap<>();
        trial.cluster()
                .brokers()
                .forEach(broker ->
                        known.put(broker.id(), Endpoint.list(broker.address()).get(0)));
        AdminAnswers answers =
                new AdminAnswers(trial.cluster().clientProperties(), StartTimeouts.of(Duration.ofSeconds(5)));
        return start(name, trial.lab(), trial.notes(), known, new ClientView(answers, trial.topics()));
    }

    static RestartObservation start(String name, Lab lab, TrialNotes notes, Map<Integer, Endpoint> known, View view) {
        RestartObservation observation = new RestartObservation(name, lab, notes, view);
        observation.mark(lab.nanos(), CLUSTER, "wait");
        observation.add(known);
        observation.later(0, observation::members);
        return observation;
    }

    private void later(long nanos, Runnable look) {
        var unused = lab.at(lab.nanos() + nanos, () -> {
            try {
                look.run();
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
    }

    @Override
    public CompletableFuture<Void> done() {
        return done;
    }

    private synchronized boolean isOver() {
        return over;
    }

    private void members() {
        if (!isOver()) {
            add(view.brokers());
            later(MEMBERS_NANOS, this::members);
        }
    }

    private synchronized void add(Map<Integer, Endpoint> found) {
        found.forEach((id, address) -> {
            Watched known = brokers.get(id);
            if (known == null) {
                Watched added = new Watched(address);
                brokers.put(id, added);
                later(0, () -> look(id, added));
            } else {
                known.address = address;
            }
        });
    }

    private void look(int id, Watched broker) {
        Endpoint address;
        synchronized (this) {
            address = broker.address;
        }
        if (isOver()) {
            return;
        }
        long begun = lab.nanos();
        boolean accepts = view.accepts(address);
        synchronized (this) {
            if (over) {
                return;
            }
            if (accepts) {
                boolean returned = broker.away();
                broker.failures = 0;
                if (returned) {
                    step(id, new Step(lab.nanos(), OperationMark.SYNC));
                    if (!catchingUp) {
                        catchingUp = true;
                        later(0, this::lookForSync);
                    }
                }
            } else {
                broker.since = broker.failures == 0 ? begun : broker.since;
                if (++broker.failures == FAILURES) {
                    step(id, new Step(broker.since, OperationMark.STOP));
                }
            }
        }
        later(LOOK_NANOS, () -> look(id, broker));
    }

    private void lookForSync() {
        boolean inSync = allAccept() && view.inSync();
        synchronized (this) {
            if (over) {
                return;
            }
            if (inSync && allAccept()) {
                catchingUp = false;
                mark(lab.nanos(), CLUSTER, "wait");
                return;
            }
        }
        later(LOOK_NANOS, this::lookForSync);
    }

    private synchronized boolean allAccept() {
        return brokers.values().stream().allMatch(broker -> broker.failures == 0);
    }

    private void step(int id, Step step) {
        unwritten.computeIfAbsent(id, none -> new ArrayList<>()).add(step);
        write(false);
    }

    private void write(boolean all) {
        for (Iterator<Map.Entry<Integer, List<Step>>> each =
                        unwritten.entrySet().iterator();
                each.hasNext(); ) {
            Map.Entry<Integer, List<Step>> next = each.next();
            next.getValue().forEach(step -> mark(step.nanos(), "broker " + next.getKey(), step.what()));
            next.getValue().clear();
            Watched broker = brokers.get(next.getKey());
            if (!all && broker != null && broker.away()) {
                return;
            }
            each.remove();
        }
    }

    // A part of the answer begins where the one before it ends, and a subject that repeats is one part.
    private void mark(long nanos, String subject, String what) {
        if (what.equals(OperationMark.STOP) && last.equals(subject)) {
            mark(nanos, CLUSTER, "wait");
        }
        long at = what.equals(OperationMark.SYNC) ? nanos : Math.max(nanos, latest);
        latest = what.equals(OperationMark.SYNC) ? latest : at;
        last = subject;
        notes.mark(at, OperationMark.EVENT, new OperationMark(name, subject, what).text());
    }

    @Override
    public void close() {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            write(true);
            String away = brokers.entrySet().stream()
                    .filter(broker -> broker.getValue().away())
                    .map(broker -> "broker " + broker.getKey())
                    .collect(Collectors.joining(", "));
            if (!away.isEmpty() || catchingUp) {
                String missing = away.isEmpty() ? "not all replicas were in sync" : "still away: " + away;
                notes.mark(lab.nanos(), name + UNFINISHED, missing);
            }
        }
        view.close();
        done.complete(null);
    }

    /** A view by TCP connections from this machine and by an admin client. */
    private record ClientView(AdminAnswers answers, Topics topics) implements View {
        private static final int CONNECT_MILLIS = 500;

        @Override
        public Map<Integer, Endpoint> brokers() {
            try {
                return answers
                        .once("the brokers", admin -> admin.describeCluster().nodes())
                        .stream()
                        .collect(Collectors.toMap(Node::id, node -> new Endpoint(node.host(), node.port())));
            } catch (KafkaException notNow) {
                // The known addresses are used until a broker answers.
                return Map.of();
            }
        }

        @Override
        public boolean accepts(Endpoint broker) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(broker.host(), broker.port()), CONNECT_MILLIS);
                return true;
            } catch (IOException away) {
                return false;
            }
        }

        @Override
        public boolean inSync() {
            try {
                return topics.underReplicated().isEmpty();
            } catch (KafkaException notNow) {
                return false;
            }
        }

        @Override
        public void close() {
            answers.close();
        }
    }
}

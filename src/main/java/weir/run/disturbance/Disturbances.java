package weir.run.disturbance;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import weir.cluster.ClusterUnavailable;
import weir.cluster.admin.Topics.BrokerObserver;
import weir.feature.Features;
import weir.host.ProcessAction;
import weir.measure.DisturbanceReadings;
import weir.plan.ClusterSpec;
import weir.plan.DisturbanceSpec;
import weir.results.value.Event;
import weir.results.value.NumberFormat;
import weir.run.lab.Lab;

/**
 * The disturbances of a trial. At the end, Weir undoes the active disturbances in reverse order. Weir also marks the
 * times of disturbances of other variants, so that reports can compare the same seconds.
 */
public final class Disturbances implements AutoCloseable {
    private static final double MILLIS = 1e6;
    private static final double MIB = 1 << 20;
    /** The time by which a prepared disturbance is told to begin in advance, because a load begins at a whole second. */
    private static final long NOTICE_NANOS = 500_000_000;

    private final DisturbedTrial trial;
    private final Lab lab;
    private final TrialNotes notes;
    private final Map<String, DisturbanceSpec> disturbing;
    private final Consumer<String> stop;
    private final Runnable settled;
    private final Map<String, DisturbanceSpec> all;
    private final Map<String, BrokerWatch> watches = new TreeMap<>();
    private final List<Lab.Activity> planned = new ArrayList<>();
    private final Map<String, Disturbance> prepared = new TreeMap<>();
    private final Map<String, ActiveDisturbance> inForce = new LinkedHashMap<>();
    /** The due operations that begin when the current one is done. */
    private final Queue<String> waiting = new ArrayDeque<>();

    private boolean operating;
    private boolean over;
    private int busy;
    private long unsettled;
    private long leastEnd;
    private @Nullable RuntimeException failure;

    private record ActiveDisturbance(String name, Disturbance disturbance, Lab.Activity undo) {}

    /**
     * @param stop called with the reason when a disturbance could not begin or be undone
     * @param settled called when all operations have settled, if there are any
     */
    public Disturbances(DisturbedTrial trial, Consumer<String> stop, Runnable settled) {
        this.trial = trial;
        this.lab = trial.lab();
        this.notes = trial.notes();
        this.disturbing = trial.variant().during();
        this.stop = stop;
        this.settled = settled;
        this.all = new LinkedHashMap<>(new TreeMap<>(disturbing));
        Map<String, DisturbanceSpec> elsewhere = new TreeMap<>();
        trial.experiment().variants().forEach(other -> other.during().forEach(elsewhere::putIfAbsent));
        elsewhere.forEach(all::putIfAbsent);
    }

    /** Prepares the disturbances whose processes start before the warm-up. */
    public void prepare() {
        disturbing.forEach((name, what) -> {
            if (what instanceof DisturbanceSpec.Prepared) {
                prepared.put(name, ready(name, what));
            }
        });
    }

    public synchronized void begin(long startNanos) {
        leastEnd = startNanos + trial.variant().measure().least().toNanos();
        unsettled = disturbing.values().stream()
                .filter(DisturbanceSpec.Operation.class::isInstance)
                .count();
        all.forEach((name, what) -> {
            boolean here = disturbing.containsKey(name);
            long at = startNanos + what.at().toNanos();
            long end = at + what.length().toNanos();
            planned.add(lab.at(prepared.containsKey(name) ? at - NOTICE_NANOS : at, () -> {
                if (here) {
                    disturb(name, what, at);
                } else {
                    notes.mark(at, Event.DISTURBANCE, name + Event.ELSEWHERE);
                }
            }));
            if (end > at) {
                planned.add(lab.at(end, () -> {
                    if (here) {
                        restore(name, end);
                    } else {
                        notes.mark(end, Event.DISTURBANCE_OVER, name);
                    }
                }));
            }
        });
    }

    private void disturb(String name, DisturbanceSpec what, long atNanos) {
        synchronized (this) {
            if (over) {
                return;
            }
            if (what instanceof DisturbanceSpec.Operation operation && operation.alone()) {
                if (operating) {
                    waiting.add(name);
                    return;
                }
                operating = true;
            }
            busy++;
        }
        try {
            Disturbance known = prepared.get(name);
            Disturbance disturbance = known == null ? watched(name, ready(name, what)) : known;
            notes.mark(atNanos, Event.DISTURBANCE, name + ": " + disturbance.announced());
            ActiveDisturbance begun =
                    new ActiveDisturbance(name, disturbance, disturbance.begin().get());
            synchronized (this) {
                inForce.put(name, begun);
            }
            if (begun.undo() instanceof Lab.Operation operation) {
                var unused =
                        operation.done().whenComplete((none, e) -> done(name, (DisturbanceSpec.Operation) what, e));
            }
        } catch (RuntimeException e) {
            failed(name, e);
        } finally {
            ready();
        }
    }

    private void done(String name, DisturbanceSpec.Operation what, @Nullable Throwable e) {
        if (e != null) {
            failed(name, e instanceof RuntimeException refused ? refused : new IllegalStateException(e));
        }
        long now = lab.nanos();
        restore(name, now);
        synchronized (this) {
            planned.add(lab.at(Math.max(now + what.settle().toNanos(), leastEnd), this::settled));
            if (what.alone() && e == null) {
                operating = false;
                String next = waiting.poll();
                if (next != null) {
                    DisturbanceSpec after = Objects.requireNonNull(disturbing.get(next));
                    planned.add(lab.at(now, () -> disturb(next, after, now)));
                }
            }
        }
    }

    private void settled() {
        boolean last;
        synchronized (this) {
            last = --unsettled == 0 && !over;
        }
        if (last) {
            settled.run();
        }
    }

    private synchronized void ready() {
        busy--;
        notifyAll();
    }

    private void restore(String name, long atNanos) {
        ActiveDisturbance begun;
        synchronized (this) {
            begun = inForce.remove(name);
            if (begun == null) {
                return;
            }
            busy++;
        }
        notes.mark(atNanos, Event.DISTURBANCE_OVER, name);
        try {
            undo(begun);
        } finally {
            ready();
        }
    }

    private void undo(ActiveDisturbance begun) {
        try {
            begun.undo().close();
            String undone = begun.disturbance().undone();
            if (!undone.isEmpty()) {
                notes.mark(lab.nanos(), Event.DISTURBANCE_UNDONE, begun.name() + ": " + undone);
            }
        } catch (RuntimeException e) {
            failed(begun.name(), e);
        }
    }

    private void release(String name, Disturbance disturbance) {
        try {
            disturbance.prepared().close();
        } catch (RuntimeException e) {
            failed(name, e);
        }
    }

    private void failed(String name, RuntimeException e) {
        RuntimeException first;
        synchronized (this) {
            if (failure == null) {
                failure = new IllegalStateException("disturbance '" + name + "': " + e.getMessage(), e);
            }
            first = failure;
        }
        stop.accept(String.valueOf(first.getMessage()));
    }

    private Disturbance watched(String name, Disturbance disturbance) {
        BrokerWatch watch = watches.get(name);
        // An operation changes the cluster itself, and must stay one to report its end.
        if (watch == null || disturbing.get(name) instanceof DisturbanceSpec.Operation) {
            return disturbance;
        }
        Supplier<Lab.Activity> begin = () -> {
            // A controlled stop takes a while, during which other brokers take over.
            watch.look(false, lab.nanos());
            Lab.Activity undo = disturbance.begin().get();
            return () -> {
                long begun = lab.nanos();
                undo.close();
                watch.look(true, begun);
            };
        };
        return new Disturbance(disturbance.announced(), begin, disturbance.undone(), disturbance.endsWithBrokers());
    }

    private Disturbance ready(String name, DisturbanceSpec what) {
        if (what instanceof DisturbanceSpec.Outage outage) {
            return outage(outage);
        }
        if (what instanceof DisturbanceSpec.Network network) {
            return new Disturbance(described(network), () -> trial.cluster().impair(network)::close, "", true);
        }
        if (what instanceof DisturbanceSpec.Disk disk) {
            // The kernel applies the limit of a disk, which remains without the disk.
            boolean limited = disk.ioPerSecond().bytes() > 0;
            return new Disturbance(described(disk), () -> trial.cluster().impair(disk)::close, "", !limited);
        }
        DisturbanceKind kind = Features.disturbance(what);
        List<String> hosts = what.placed().each();
        List<Disturbance> parts =
                hosts.stream().map(host -> kind.ready(name, what, host, trial)).toList();
        return what.placed().remote()
                ? Disturbance.of(parts.get(0).announced() + ", on " + String.join(", ", hosts), () -> begun(parts))
                : parts.get(0);
    }

    private Disturbance outage(DisturbanceSpec.Outage outage) {
        int node = outage.ofController() ? trial.topics().activeController() : outage.broker();
        String name = outage.ofController()
                ? "the active controller, node " + node + ","
                : outage.server().text();
        Consumer<ProcessAction> victim = node != 0
                ? action -> trial.cluster().act(action, node)
                : action -> trial.bridge().act(action, outage.server());
        boolean paused = outage.kind() == DisturbanceSpec.Outage.Kind.PAUSE;
        String done = switch (outage.kind()) {
            case KILL -> " is killed";
            case STOP -> " is stopped";
            case PAUSE -> " is paused";
        };
        Supplier<Lab.Activity> begin = () -> {
            victim.accept(ProcessAction.valueOf(outage.kind().name()));
            return () -> victim.accept(paused ? ProcessAction.RESUME : ProcessAction.RESTART);
        };
        return new Disturbance(name + done, begin, name + (paused ? " is resumed" : " is started again"), node != 0);
    }

    private static String described(DisturbanceSpec.Network asked) {
        List<String> changes = new ArrayList<>();
        if (asked.cut()) {
            changes.add("is cut");
        }
        if (!asked.delay().isZero() || !asked.jitter().isZero()) {
            changes.add("is slower by " + millis(asked.delay())
                    + (asked.jitter().isZero() ? "" : " and up to " + millis(asked.jitter()) + " more"));
        }
        if (asked.bytesPerSecond().bytes() > 0) {
            changes.add("carries at most "
                    + NumberFormat.mebibytes(asked.bytesPerSecond().bytes() / MIB));
        }
        String whose = switch (asked.between()) {
            case ALL -> "the network of broker " + asked.broker();
            case CLIENTS -> "the network between clients and broker " + asked.broker();
            case BROKERS -> "the network between broker " + asked.broker() + " and the others";
        };
        String way = switch (asked.way()) {
            case BOTH -> "";
            case IN -> ", towards it,";
            case OUT -> ", away from it,";
        };
        return whose + way + " " + String.join(", ", changes);
    }

    private static String described(DisturbanceSpec.Disk asked) {
        String most = NumberFormat.mebibytes(asked.ioPerSecond().bytes() / MIB);
        return "the disk of broker " + asked.broker() + (asked.full() ? " is full" : "")
                + (asked.full() && asked.ioPerSecond().bytes() > 0 ? " and" : "")
                + (asked.ioPerSecond().bytes() > 0 ? " reads and writes at most " + most + " each" : "");
    }

    private static String millis(Duration duration) {
        return NumberFormat.millis(duration.toNanos() / MILLIS);
    }

    private static Lab.Activity begun(List<Disturbance> parts) {
        Lab.Activity undo = () -> {};
        for (Disturbance part : parts) {
            Lab.Activity before = undo;
            try {
                undo = before.andThen(part.begin().get());
            } catch (RuntimeException e) {
                try (before) {
                    throw e;
                }
            }
        }
        return undo;
    }

    /**
     * Records the number of partitions that the disturbed brokers lead, and watches brokers that lead some. The loss of
     * a broker without partitions has almost no effect.
     */
    public void leaders() {
        if (disturbing.values().stream().noneMatch(what -> what.broker() > 0)) {
            return;
        }
        List<Integer> leaders = trial.topics().leaders();
        disturbing.forEach((name, what) -> {
            if (what.broker() > 0) {
                String source = DisturbanceReadings.ofFault(name);
                long led = leaders.stream()
                        .filter(leader -> leader == what.broker())
                        .count();
                notes.reading(source, DisturbanceReadings.LED, (double) led);
                if (led > 0) {
                    watches.put(name, new BrokerWatch(lab, trial.topics().outside(what.broker()), notes, source));
                }
            }
        });
    }

    /** Starts no further disturbance, and undoes active ones in reverse order. Called after the end of the load. */
    @Override
    public void close() {
        List<ActiveDisturbance> lastFirst;
        synchronized (this) {
            over = true;
            try {
                while (busy > 0) {
                    wait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            lastFirst = new ArrayList<>(inForce.values());
            inForce.clear();
        }
        synchronized (this) {
            planned.forEach(Lab.Activity::close);
        }
        Collections.reverse(lastFirst);
        ClusterSpec cluster = trial.variant().cluster();
        boolean ends = cluster.startedByWeir() && cluster.freshEachTrial();
        lastFirst.stream()
                .filter(begun -> !ends || !begun.disturbance().endsWithBrokers())
                .forEach(this::undo);
        watches.values().forEach(BrokerWatch::close);
        prepared.forEach(this::release);
        RuntimeException first;
        synchronized (this) {
            first = failure;
        }
        if (first != null) {
            throw first;
        }
    }

    /**
     * A view of a disturbed broker through others, ten times a second. It records the takeover of its partitions and
     * the return of its replicas, in seconds.
     */
    static final class BrokerWatch {
        private static final long EVERY_NANOS = 100_000_000;
        private static final double SECOND = 1e9;

        /** The counts without an answer of any broker: no other leader, and no replica in sync. */
        private static final BrokerObserver.ReplicaCounts UNKNOWN = new BrokerObserver.ReplicaCounts(1, 1);

        private final Lab lab;
        private final BrokerObserver view;
        private final TrialNotes notes;
        private final String source;
        private long since;
        private boolean ended;
        private boolean looking;
        private boolean over;

        BrokerWatch(Lab lab, BrokerObserver view, TrialNotes notes, String source) {
            this.lab = lab;
            this.view = view;
            this.notes = notes;
            this.source = source;
        }

        /** Looks from the start of the disturbance on or, if {@code after}, from the start of its undoing. */
        synchronized void look(boolean after, long nanos) {
            since = nanos;
            ended = after;
            if (!looking) {
                looking = true;
                again();
            }
        }

        private void again() {
            var unused = lab.at(lab.nanos() + EVERY_NANOS, this::look);
        }

        private void look() {
            boolean after;
            synchronized (this) {
                after = ended;
            }
            BrokerObserver.ReplicaCounts standing;
            try {
                standing = view.standing();
            } catch (ClusterUnavailable unavailable) {
                standing = UNKNOWN;
            }
            synchronized (this) {
                if (!over && after == ended && (after ? standing.lags() : standing.leads()) == 0) {
                    String metric = after ? DisturbanceReadings.IN_SYNC : DisturbanceReadings.TAKEN_OVER;
                    notes.reading(source, metric, (lab.nanos() - since) / SECOND);
                    looking = false;
                } else if (!over) {
                    again();
                }
            }
        }

        void close() {
            synchronized (this) {
                over = true;
            }
            view.close();
        }
    }
}

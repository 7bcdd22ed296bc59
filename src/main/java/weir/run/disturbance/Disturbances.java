package weir.run.disturbance;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.admin.OutsideView;
import weir.cluster.admin.Topics;
import weir.host.MachineResources;
import weir.host.ProcessAction;
import weir.host.Stressor;
import weir.measure.DisturbanceReadings;
import weir.plan.DisturbanceSpec;
import weir.plan.Experiment;
import weir.plan.PlacedSpec;
import weir.plan.Variant;
import weir.plan.syntax.ShellWord;
import weir.probe.WatchedProcess;
import weir.results.value.Event;
import weir.results.value.NumberFormat;
import weir.run.disturbance.Disturbances.Disturbance;
import weir.run.lab.Lab;
import weir.worker.Bridge;

/**
 * The disturbances of a trial: each begins at its time and is undone, the last one first. Those of other variants are
 * marked, so that the same seconds can be compared.
 */
public final class Disturbances implements AutoCloseable {
    private static final double MILLIS = 1e6;
    private static final double MIB = 1 << 20;

    private final Experiment experiment;
    private final Variant variant;
    private final Lab lab;
    private final Cluster cluster;
    private final Bridge bridge;
    private final Path trial;
    private final Path data;
    private final TrialNotes notes;
    private final Lab.Probing probes;
    private final Consumer<String> stop;
    private final Map<String, DisturbanceSpec> all;
    private final Map<String, BrokerWatch> watches = new TreeMap<>();
    private final List<Lab.Going> planned = new ArrayList<>();
    private final Map<String, InForce> inForce = new LinkedHashMap<>();
    private boolean over;
    private int busy;
    private @Nullable RuntimeException failure;

    private record InForce(String name, Disturbance disturbance, Lab.Going undo) {}

    /**
     * A prepared disturbance.
     *
     * @param begin begins it, and returns what undoes it
     * @param undone the act that undid it, to be marked; empty where its end says all
     * @param endsWithBrokers whether nothing of it is left once the brokers are gone
     */
    record Disturbance(String announced, Supplier<Lab.Going> begin, String undone, boolean endsWithBrokers) {}

    /**
     * @param trial the folder of the trial
     * @param data the folder in which those of the brokers are
     * @param stop called when a disturbance could not be carried out or undone, with the reason
     */
    public Disturbances(
            Experiment experiment,
            Variant variant,
            Lab lab,
            Cluster cluster,
            Bridge bridge,
            Lab.Probing probes,
            Path trial,
            Path data,
            TrialNotes notes,
            Consumer<String> stop) {
        this.experiment = experiment;
        this.variant = variant;
        this.lab = lab;
        this.cluster = cluster;
        this.bridge = bridge;
        this.trial = trial;
        this.data = data;
        this.notes = notes;
        this.probes = probes;
        this.stop = stop;
        this.all = new LinkedHashMap<>(new TreeMap<>(variant.during()));
        Map<String, DisturbanceSpec> elsewhere = new TreeMap<>();
        experiment.variants().forEach(other -> other.during().forEach(elsewhere::putIfAbsent));
        elsewhere.forEach(all::putIfAbsent);
    }

    public synchronized void begin(long startNanos) {
        all.forEach((name, what) -> {
            boolean here = variant.during().containsKey(name);
            long at = startNanos + what.at().toNanos();
            long end = at + what.length().toNanos();
            planned.add(lab.at(at, () -> {
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
            busy++;
        }
        try {
            Disturbance disturbance = watched(name, ready(name, what));
            notes.mark(atNanos, Event.DISTURBANCE, name + ": " + disturbance.announced());
            InForce begun = new InForce(name, disturbance, disturbance.begin().get());
            synchronized (this) {
                inForce.put(name, begun);
            }
        } catch (RuntimeException e) {
            failed(name, e);
        } finally {
            ready();
        }
    }

    private synchronized void ready() {
        busy--;
        notifyAll();
    }

    private void restore(String name, long atNanos) {
        InForce begun;
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

    private void undo(InForce begun) {
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
        if (watch == null) {
            return disturbance;
        }
        Supplier<Lab.Going> begin = () -> {
            // An orderly stop takes a while, and others take over meanwhile.
            watch.look(false, lab.nanos());
            Lab.Going undo = disturbance.begin().get();
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
            return new Disturbance(told(network), () -> cluster.impair(network)::close, "", true);
        }
        if (what instanceof DisturbanceSpec.Disk disk) {
            // A limit of a disk is the kernel's, and outlives the disk.
            boolean limited = disk.ioPerSecond().bytes() > 0;
            return new Disturbance(told(disk), () -> cluster.impair(disk)::close, "", !limited);
        }
        if (what instanceof DisturbanceSpec.Stress stress) {
            return onEach(stress.placed(), host -> stress(name, stress, host));
        }
        if (what instanceof DisturbanceSpec.Run run) {
            Path folder = experiment.file().toAbsolutePath().resolveSibling("");
            String words = run.command().stream().map(ShellWord::of).collect(Collectors.joining(" "));
            return onEach(run.placed(), host -> {
                Path log = log("run-" + name, host);
                Supplier<Lab.Going> begin =
                        () -> lab.command(host, name, run.command(), folder, cluster.bootstrap(), log);
                return new Disturbance("runs " + words, begin, "", false);
            });
        }
        throw new IllegalArgumentException("not built yet: " + what);
    }

    private Disturbance outage(DisturbanceSpec.Outage outage) {
        boolean broker = outage.broker() > 0;
        String name = outage.server().text();
        Consumer<ProcessAction> victim =
                broker ? action -> cluster.act(action, outage.broker()) : action -> bridge.act(action, outage.server());
        boolean paused = outage.kind() == DisturbanceSpec.Outage.Kind.PAUSE;
        String done = switch (outage.kind()) {
            case KILL -> " is killed";
            case STOP -> " is stopped";
            case PAUSE -> " is paused";
        };
        Supplier<Lab.Going> begin = () -> {
            victim.accept(ProcessAction.valueOf(outage.kind().name()));
            return () -> victim.accept(paused ? ProcessAction.RESUME : ProcessAction.RESTART);
        };
        return new Disturbance(name + done, begin, name + (paused ? " is resumed" : " is started again"), broker);
    }

    private static String told(DisturbanceSpec.Network asked) {
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

    private static String told(DisturbanceSpec.Disk asked) {
        String most = NumberFormat.mebibytes(asked.ioPerSecond().bytes() / MIB);
        return "the disk of broker " + asked.broker() + (asked.full() ? " is full" : "")
                + (asked.full() && asked.ioPerSecond().bytes() > 0 ? " and" : "")
                + (asked.ioPerSecond().bytes() > 0 ? " reads and writes at most " + most + " each" : "");
    }

    private static String millis(Duration duration) {
        return NumberFormat.millis(duration.toNanos() / MILLIS);
    }

    private Disturbance stress(String name, DisturbanceSpec.Stress asked, String host) {
        MachineResources machine = lab.machine(host);
        Stressor.Demand demand = Stressor.demand(asked, machine.freeMemory());
        String source = DisturbanceReadings.ofStress(name, host);
        notes.reading(source, DisturbanceReadings.ASKED_MEMORY, demand.heldMemory() / MIB);
        notes.reading(source, DisturbanceReadings.ASKED_DISK, demand.disk() / MIB);
        double most = demand.within().ioPerSecond().bytes() / MIB;
        if (most > 0) {
            notes.reading(source, DisturbanceReadings.MOST_WRITTEN, most);
        }
        notes.reading(source, DisturbanceReadings.ASKED_CORES, demand.cores(machine.processors()));
        Supplier<Lab.Going> begin = () -> {
            Path log = log("stress-" + name, host);
            Lab.Stressing begun = lab.stress(host, name, demand, asked.length(), data(host), log);
            probes.watch(new WatchedProcess(WatchedProcess.Kind.STRESS, source, host, begun.pid()));
            return begun.end();
        };
        return new Disturbance(Stressor.words(asked), begin, "", false);
    }

    private static Disturbance onEach(PlacedSpec placed, Function<String, Disturbance> made) {
        List<Disturbance> parts = placed.each().stream().map(made).toList();
        String announced = parts.get(0).announced() + ", on " + String.join(", ", placed.each());
        return placed.elsewhere() ? new Disturbance(announced, () -> begun(parts), "", false) : parts.get(0);
    }

    private static Lab.Going begun(List<Disturbance> parts) {
        Lab.Going undo = () -> {};
        for (Disturbance part : parts) {
            Lab.Going before = undo;
            try {
                undo = before.then(part.begin().get());
            } catch (RuntimeException e) {
                try (before) {
                    throw e;
                }
            }
        }
        return undo;
    }

    private Path log(String name, String host) {
        return trial.resolve(name + (host.isEmpty() ? "" : "-" + host) + ".log");
    }

    private Path data(String host) {
        return host.isEmpty()
                ? data
                : cluster.brokers().stream()
                        .filter(broker -> broker.host().equals(host))
                        .map(broker -> broker.data().resolveSibling(""))
                        .findFirst()
                        .orElse(Path.of(""));
    }

    /**
     * Notes how many partitions the disturbed brokers lead, because the loss of a broker without any is hardly felt,
     * and watches those that lead some.
     */
    public void leaders(Topics topics) {
        if (variant.during().values().stream().noneMatch(what -> what.broker() > 0)) {
            return;
        }
        List<Integer> leaders = topics.leaders();
        variant.during().forEach((name, what) -> {
            if (what.broker() > 0) {
                String source = DisturbanceReadings.ofFault(name);
                long led = leaders.stream()
                        .filter(leader -> leader == what.broker())
                        .count();
                notes.reading(source, DisturbanceReadings.LED, (double) led);
                if (led > 0) {
                    watches.put(name, new BrokerWatch(lab, topics.outside(what.broker()), notes, source));
                }
            }
        });
    }

    /** Starts nothing more and undoes active disturbances, the last one first; called when the load has ended. */
    @Override
    public void close() {
        List<InForce> lastFirst;
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
        planned.forEach(Lab.Going::close);
        Collections.reverse(lastFirst);
        boolean ends = variant.cluster().ours() && variant.cluster().freshEachTrial();
        lastFirst.stream()
                .filter(begun -> !ends || !begun.disturbance().endsWithBrokers())
                .forEach(this::undo);
        watches.values().forEach(BrokerWatch::close);
        RuntimeException first;
        synchronized (this) {
            first = failure;
        }
        if (first != null) {
            throw first;
        }
    }

    /**
     * An outside view of a disturbed broker, ten times a second: it notes when others lead all its partitions and,
     * afterwards, when its replicas are in sync, in seconds since the begin and since the end.
     */
    static final class BrokerWatch {
        private static final long EVERY_NANOS = 100_000_000;
        private static final double SECOND = 1e9;

        /** Without an answer, no other broker has taken over and nothing is in sync. */
        private static final OutsideView.Standing UNKNOWN = new OutsideView.Standing(1, 1);

        private final Lab lab;
        private final OutsideView view;
        private final TrialNotes notes;
        private final String source;
        private long since;
        private boolean ended;
        private boolean looking;
        private boolean over;

        BrokerWatch(Lab lab, OutsideView view, TrialNotes notes, String source) {
            this.lab = lab;
            this.view = view;
            this.notes = notes;
            this.source = source;
        }

        /** Starts when the disturbance begins or, with {@code after}, when its undoing begins. */
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
            OutsideView.Standing standing;
            try {
                standing = view.standing();
            } catch (ClusterUnavailable nobodyAnswers) {
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

package weir.run.disturbance;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import weir.plan.DisturbanceSpec;
import weir.plan.Experiment;
import weir.plan.Variant;
import weir.results.value.Event;
import weir.run.lab.Lab;

/**
 * Carries out the disturbances of a trial, each at its time, and undoes them, the last one first. The times at which other
 * variants are disturbed are marked, too, so that the same seconds can be compared.
 */
public final class Timeline implements AutoCloseable {
    private final SortedMap<String, DisturbanceSpec> own;
    private final Map<String, DisturbanceSpec> elsewhere = new TreeMap<>();
    private final Lab lab;
    private final BiFunction<String, DisturbanceSpec, Disturbance> made;
    private final boolean ends;
    private final TrialNotes notes;
    private final Consumer<String> stop;

    private final List<Lab.Going> planned = new ArrayList<>();
    /** By name, in the order in which they began. */
    private final Map<String, Disturbance> inForce = new LinkedHashMap<>();

    private boolean over;
    /** How many are being carried out or undone at this moment. */
    private int busy;

    private @Nullable RuntimeException failure;

    /**
     * @param made makes a disturbance of this name ready
     * @param ends whether the cluster ends with the trial, so that no broker has to be brought back after it
     * @param stop called when a disturbance could not be carried out or undone, with the reason
     */
    Timeline(
            Experiment experiment,
            Variant variant,
            Lab lab,
            BiFunction<String, DisturbanceSpec, Disturbance> made,
            boolean ends,
            TrialNotes notes,
            Consumer<String> stop) {
        this.own = new TreeMap<>(variant.during());
        experiment.variants().forEach(other -> other.during().forEach(elsewhere::putIfAbsent));
        elsewhere.keySet().removeAll(own.keySet());
        this.lab = lab;
        this.made = made;
        this.ends = ends;
        this.notes = notes;
        this.stop = stop;
    }

    /** The measured phase begins at this time. */
    public synchronized void begin(long startNanos) {
        own.forEach((name, what) -> {
            long at = startNanos + what.at().toNanos();
            Disturbance disturbance = made.apply(name, what);
            planned.add(lab.at(at, () -> disturb(name, disturbance, at)));
            if (!what.length().isZero()) {
                long end = at + what.length().toNanos();
                planned.add(lab.at(end, () -> restore(name, end)));
            }
        });
        elsewhere.forEach((name, what) -> {
            long at = startNanos + what.at().toNanos();
            planned.add(lab.at(at, () -> notes.mark(at, Event.DISTURBANCE, name + Event.ELSEWHERE)));
            if (!what.length().isZero()) {
                long end = at + what.length().toNanos();
                planned.add(lab.at(end, () -> notes.mark(end, Event.DISTURBANCE_OVER, name)));
            }
        });
    }

    private void disturb(String name, Disturbance disturbance, long atNanos) {
        synchronized (this) {
            if (over) {
                return;
            }
            busy++;
        }
        try {
            notes.mark(atNanos, Event.DISTURBANCE, name + ": " + disturbance.announced());
            disturbance.begin();
            synchronized (this) {
                inForce.put(name, disturbance);
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
        Disturbance disturbance;
        synchronized (this) {
            disturbance = inForce.remove(name);
            if (disturbance == null) {
                return;
            }
            busy++;
        }
        notes.mark(atNanos, Event.DISTURBANCE_OVER, name);
        try {
            undo(name, disturbance);
        } finally {
            ready();
        }
    }

    private void undo(String name, Disturbance disturbance) {
        try {
            disturbance.end();
            if (!disturbance.undone().isEmpty()) {
                notes.mark(lab.nanos(), Event.DISTURBANCE_UNDONE, name + ": " + disturbance.undone());
            }
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

    /** The load has ended: nothing more begins, and what is in force is undone, the last one first. */
    @Override
    public void close() {
        Map<String, Disturbance> left;
        synchronized (this) {
            over = true;
            try {
                while (busy > 0) {
                    wait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            left = new LinkedHashMap<>(inForce);
            inForce.clear();
        }
        planned.forEach(Lab.Going::close);
        List<Map.Entry<String, Disturbance>> lastFirst = new ArrayList<>(left.entrySet());
        Collections.reverse(lastFirst);
        for (Map.Entry<String, Disturbance> one : lastFirst) {
            if (!ends || !one.getValue().endsWithBrokers()) {
                undo(one.getKey(), one.getValue());
            }
        }
        RuntimeException first;
        synchronized (this) {
            first = failure;
        }
        if (first != null) {
            throw first;
        }
    }
}

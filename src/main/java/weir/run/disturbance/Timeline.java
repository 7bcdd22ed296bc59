package weir.run.disturbance;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import weir.plan.DisturbanceSpec;
import weir.plan.Experiment;
import weir.plan.Variant;
import weir.results.value.Event;
import weir.run.disturbance.Disturbances.Disturbance;
import weir.run.lab.Lab;

/**
 * The timeline of a trial's disturbances: it begins each at its time and undoes them, the last one first. It also
 * marks the disturbances of other variants, so that the same seconds can be compared.
 */
public final class Timeline implements AutoCloseable {
    private final Map<String, DisturbanceSpec> all;

    private final Variant variant;
    private final Lab lab;
    private final BiFunction<String, DisturbanceSpec, Disturbance> made;
    private final boolean ends;
    private final TrialNotes notes;
    private final Consumer<String> stop;

    private final List<Lab.Going> planned = new ArrayList<>();
    private final Map<String, InForce> inForce = new LinkedHashMap<>();

    private boolean over;
    private int busy;

    private @Nullable RuntimeException failure;

    private record InForce(String name, Disturbance disturbance, Lab.Going undo) {}

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
        Map<String, DisturbanceSpec> elsewhere = new TreeMap<>();
        experiment.variants().forEach(other -> other.during().forEach(elsewhere::putIfAbsent));
        this.all = new LinkedHashMap<>(new TreeMap<>(variant.during()));
        elsewhere.forEach(all::putIfAbsent);
        this.variant = variant;
        this.lab = lab;
        this.made = made;
        this.ends = ends;
        this.notes = notes;
        this.stop = stop;
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
            Disturbance disturbance = made.apply(name, what);
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
        lastFirst.stream()
                .filter(begun -> !ends || !begun.disturbance().endsWithBrokers())
                .forEach(this::undo);
        RuntimeException first;
        synchronized (this) {
            first = failure;
        }
        if (first != null) {
            throw first;
        }
    }
}

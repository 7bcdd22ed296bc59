package weir.feature.maintenance;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import weir.run.disturbance.TrialNotes;
import weir.run.lab.Lab;

/** An operation that runs its steps one after the other. Each step acts, then waits for a state of the cluster. */
final class OperationRun implements Lab.Operation {
    private static final long LOOK_NANOS = 100_000_000;

    private final String name;
    private final Lab lab;
    private final TrialNotes notes;
    private final Deque<Step> steps;
    private final Duration max;
    private final long deadline;
    private final Runnable end;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private boolean begun;
    private boolean over;

    /**
     * A part of an operation.
     *
     * @param subject the broker or the topic that changes
     * @param missing the reason why the step is not done yet; empty once it is done
     * @param after called when the step is done
     */
    record Step(String subject, String what, Runnable act, Supplier<String> missing, Runnable after) {
        static Step of(String subject, String what, Runnable act) {
            return new Step(subject, what, act, () -> "", () -> {});
        }
    }

    /** @param end called once, after the last step or when the operation fails or is cancelled */
    OperationRun(String name, Lab lab, TrialNotes notes, List<Step> steps, Duration max, Runnable end) {
        this.name = name;
        this.lab = lab;
        this.notes = notes;
        this.steps = new ArrayDeque<>(steps);
        this.max = max;
        this.deadline = lab.nanos() + max.toNanos();
        this.end = end;
    }

    OperationRun start() {
        later(0);
        return this;
    }

    private void later(long nanos) {
        var unused = lab.at(lab.nanos() + nanos, this::advance);
    }

    @Override
    public CompletableFuture<Void> done() {
        return done;
    }

    // A closer waits here for an action that is under way, so that no node starts after its cluster is closed.
    private synchronized void advance() {
        if (over) {
            return;
        }
        try {
            Step step = steps.element();
            if (!begun) {
                begun = true;
                notes.mark(
                        lab.nanos(), OperationMark.EVENT, new OperationMark(name, step.subject(), step.what()).text());
                step.act().run();
            }
            String missing = step.missing().get();
            if (!missing.isEmpty()) {
                await(step, missing);
                return;
            }
            steps.remove().after().run();
            begun = false;
            if (!steps.isEmpty()) {
                later(0);
                return;
            }
            close();
            done.complete(null);
        } catch (RuntimeException e) {
            try {
                close();
            } catch (RuntimeException left) {
                e.addSuppressed(left);
            }
            done.completeExceptionally(e);
        }
    }

    private void await(Step step, String missing) {
        if (lab.nanos() > deadline) {
            throw new IllegalStateException("the step '" + step.what() + "' of " + step.subject()
                    + " was not done after " + max.toSeconds() + " s: " + missing + "; raise max");
        }
        later(LOOK_NANOS);
    }

    @Override
    public synchronized void close() {
        if (!over) {
            over = true;
            end.run();
        }
    }
}

package weir.pace;

import java.util.function.LongSupplier;

/** Waits for due times on one thread, without burning a core for it. */
@SuppressWarnings("DoNotCallSuggester")
public final class Pacer {
    private final LongSupplier clock;

    /** {@code clock} is System::nanoTime except in tests. */
    public Pacer(LongSupplier clock) {
        this.clock = clock;
    }

    /** Returns the time once it is {@code dueNanos} or later; earlier only when the pacer was stopped. */
    public long await(long dueNanos) {
        throw new UnsupportedOperationException();
    }

    /** From any thread: ends this wait, and every later one returns at once. */
    public void stop() {
        throw new UnsupportedOperationException();
    }

    public boolean stopped() {
        throw new UnsupportedOperationException();
    }

    long now() {
        return clock.getAsLong();
    }
}

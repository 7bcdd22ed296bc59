package weir.feature.live;

import java.time.Duration;
import java.util.function.LongSupplier;
import weir.http.EventStream;

/** The browsers that show a page. A browser without scripts reloads the page; others have an event connection. */
final class PageReaders {
    private static final Duration LAST = Duration.ofSeconds(3);
    private static final long SHORTLY = 100;
    /** Silence after which a page without scripts counts as closed; the page reloads every ten seconds. */
    private static final Duration PLAIN = Duration.ofSeconds(30);

    private static final Duration REFRESHED = Duration.ofSeconds(11);
    private static final Duration SEVERAL = Duration.ofMillis(500);

    private final EventStream events;
    private final LongSupplier nanos;
    private boolean plain;
    private long plainAt;
    private boolean plainHasLast;
    private boolean listened;
    private long listenedAt;
    private long taken;
    private long takenAt;

    PageReaders(EventStream events, LongSupplier nanos) {
        this.events = events;
        this.nanos = nanos;
    }

    synchronized void asked(boolean last) {
        plain = true;
        plainAt = nanos.getAsLong();
        plainHasLast = last;
    }

    synchronized void listens() {
        plain = false;
        listened = true;
        listenedAt = nanos.getAsLong();
    }

    synchronized void check() {
        if (events.clients() > 0) {
            listened = true;
            listenedAt = nanos.getAsLong();
        }
    }

    synchronized void taken(long version) {
        taken = version;
        takenAt = nanos.getAsLong();
        notifyAll();
    }

    synchronized boolean watched() {
        long now = nanos.getAsLong();
        return listening(now) || (plain && now - plainAt < PLAIN.toNanos());
    }

    /** True if a browser has an event connection, or lost one recently and will probably reconnect. */
    private boolean listening(long now) {
        return events.clients() > 0 || (listened && now - listenedAt < LAST.toNanos());
    }

    synchronized void await(long version) {
        long began = nanos.getAsLong();
        try {
            for (long now = began; awaits(version, now, now - began); now = nanos.getAsLong()) {
                wait(SHORTLY);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean awaits(long version, long now, long waited) {
        // Readers of several pages ask one after the other.
        boolean listening =
                listening(now) && waited < LAST.toNanos() && (taken < version || now - takenAt < SEVERAL.toNanos());
        boolean refreshing = plain && !plainHasLast && now - plainAt < PLAIN.toNanos() && waited < REFRESHED.toNanos();
        return listening || refreshing;
    }
}

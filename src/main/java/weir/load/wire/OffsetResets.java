package weir.load.wire;

import weir.load.read.Inbox;

/** Readings whose offset is not there any more, or not yet: somebody finds out where their partitions begin and end. */
final class OffsetResets {
    private final String name;
    private final FetchSettings settings;
    private final Bounds bounds;
    private final Mailbox mailbox;

    /** The beginnings and ends of partitions; -1 where nobody knows. Waits for brokers. */
    interface Bounds {
        long[] beginnings();

        long[] ends();
    }

    OffsetResets(String name, FetchSettings settings, Bounds bounds, Mailbox mailbox) {
        this.name = name;
        this.settings = settings;
        this.bounds = bounds;
        this.mailbox = mailbox;
    }

    /** It is asked for nothing until it is found. */
    void add(FetchPosition one, Inbox inbox) {
        if (settings.reset() == FetchSettings.Reset.NONE) {
            throw new IllegalStateException(name + ": partition " + one.partition + " has no offset " + one.next
                    + ", and auto.offset.reset is none");
        }
        one.astray = true;
        Thread asking = new Thread(
                () -> {
                    long beginning = bounds.beginnings()[one.index];
                    long end = bounds.ends()[one.index];
                    mailbox.hear(() -> found(one, beginning, end, inbox));
                },
                name + "-bounds");
        asking.setDaemon(true);
        asking.setUncaughtExceptionHandler(
                (thread, why) -> mailbox.hear(() -> found(one, FetchPosition.UNKNOWN, FetchPosition.UNKNOWN, inbox)));
        asking.start();
    }

    private void found(FetchPosition one, long beginning, long end, Inbox inbox) {
        one.astray = false;
        one.lastEpoch = FetchPosition.UNKNOWN;
        // Nobody knows: asked again, it is refused again.
        boolean known = beginning >= 0 && end >= 0;
        if (known && (one.next < beginning || one.next > end)) {
            one.goOn(settings.reset() == FetchSettings.Reset.EARLIEST ? beginning : end, inbox);
        }
    }
}

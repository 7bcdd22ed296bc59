package weir.load;

/** Lots as a load would fill them. */
public final class SomeLots {
    private SomeLots() {}

    /** Messages in a row that were due at once. */
    public static Lot alike(long first, int count, long dueNanos) {
        Lot lot = new Lot();
        alike(lot, first, count, dueNanos);
        return lot;
    }

    /** Fills a lot with such messages. */
    public static void alike(Lot lot, long first, int count, long dueNanos) {
        lot.alike = true;
        lot.first = first;
        lot.count = count;
        lot.dueNanos = dueNanos;
    }

    /** Messages in a row, each due at its own time. */
    public static Lot due(long first, long... dueNanos) {
        Lot lot = new Lot();
        lot.first = first;
        lot.count = dueNanos.length;
        lot.reserve(dueNanos.length);
        System.arraycopy(dueNanos, 0, lot.dues, 0, dueNanos.length);
        return lot;
    }
}

package weir.measure;

/** Distributions for tests elsewhere. */
public final class SomeLatencies {
    private SomeLatencies() {}

    /** So many messages, evenly from a hundredth of the given milliseconds to all of them. */
    public static Latency upTo(double millis, int count) {
        Latency latency = new Latency();
        for (int i = 1; i <= count; i++) {
            latency.record(Math.round(millis * 1e6 * Math.ceil(100.0 * i / count) / 100), 1);
        }
        return latency;
    }
}

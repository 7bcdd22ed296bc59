package weir.measure;

/** Distributions of latencies. */
public final class SomeLatencies {
    private SomeLatencies() {}

    /** Returns this number of messages, evenly from a hundredth of {@code millis} to {@code millis}. */
    public static Latency upTo(double millis, int count) {
        Latency latency = new Latency();
        for (int i = 1; i <= count; i++) {
            latency.record(Math.round(millis * 1e6 * Math.ceil(100.0 * i / count) / 100), 1);
        }
        return latency;
    }
}

package weir.measure;

/** Whether a load has settled: the shape that weir.run calls, without its test yet. */
public final class Steady {
    public boolean add(double throughput, double latency) {
        return false;
    }
}

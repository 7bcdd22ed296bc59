package weir.plan;

import java.util.List;

/** What a process may use at most; zero or an empty list means no limit. {@code io} is bytes per second. */
public record Limits(double cpu, ByteSize memory, ByteSize ioPerSecond, List<Integer> cpus) {
    public static final Limits NONE = new Limits(0, new ByteSize(0), new ByteSize(0), List.of());

    public Limits {
        cpus = List.copyOf(cpus);
    }
}

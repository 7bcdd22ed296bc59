package weir.plan;

import java.util.List;

/** The resource limits of a process; zero or an empty list means no limit. {@code io} is bytes per second. */
public record Limits(double cpu, ByteSize memory, ByteSize ioPerSecond, List<Integer> cpus) {
    public static final Limits NONE = new Limits(0, new ByteSize(0), new ByteSize(0), List.of());

    public Limits {
        cpus = List.copyOf(cpus);
    }
}

package weir.results.value;

import java.util.HashSet;
import java.util.List;

/**
 * A machine that takes part in a trial, and what runs there.
 *
 * @param name as the experiment calls it; {@link #HERE} for the machine that conducts
 * @param machine as it calls itself; for a pod its node; empty where it is unknown
 * @param processors that a process there may use
 * @param memoryBytes that it has in all; 0 where it is unknown
 * @param java the version that its workers run on
 * @param workers by their numbers from 0, ascending
 * @param brokers by their ids; none that we have not started
 * @param others gateways and balancers by the sources of their readings, and what disturbs, by its name
 */
public record HostFacts(
        String name,
        String machine,
        int processors,
        long memoryBytes,
        String system,
        String java,
        List<Integer> workers,
        List<Integer> brokers,
        List<String> others) {
    /** The name of this machine, which no other can have: {@code placed: here} means it. */
    public static final String HERE = "here";

    /** The source of this machine's readings, and the prefix of other machines' sources. */
    public static final String SOURCE = "host";

    public HostFacts {
        workers = List.copyOf(workers);
        brokers = List.copyOf(brokers);
        others = List.copyOf(others);
        if (name.isBlank() || processors < 0 || memoryBytes < 0) {
            throw new IllegalArgumentException("a host has a name, and neither processors nor memory below 0, got '"
                    + name + "' with " + processors + " and " + memoryBytes + " bytes");
        }
        if (workers.stream().anyMatch(worker -> worker < 0) || new HashSet<>(workers).size() < workers.size()) {
            throw new IllegalArgumentException(
                    "the workers of host '" + name + "' count from 0, each once, got " + workers);
        }
    }

    public static boolean isSource(String source) {
        return source.equals(SOURCE) || source.startsWith(SOURCE + "-");
    }

    public boolean here() {
        return name.equals(HERE);
    }

    public String source() {
        return here() ? SOURCE : SOURCE + "-" + name;
    }
}

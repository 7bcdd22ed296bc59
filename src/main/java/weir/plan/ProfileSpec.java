package weir.plan;

import java.util.List;
import java.util.Set;

/**
 * The profiles of an experiment: of which processes, for what, in which variants and during which step.
 *
 * @param variants names of variants, or of those before a grid; empty for all
 * @param during the rate of a step; empty for the whole measured phase
 */
public record ProfileSpec(Set<Role> of, Set<Event> what, List<String> variants, String during) {
    public ProfileSpec {
        of = Set.copyOf(of);
        what = Set.copyOf(what);
        variants = List.copyOf(variants);
    }

    /** A kind of process. */
    public enum Role {
        WORKERS,
        BROKERS,
        BRIDGE
    }

    /** A reason for a profiler to look where a thread is. */
    public enum Event {
        /** It has used the CPU for so long. */
        CPU,
        /** It has allocated so much. */
        ALLOC,
        /** It waited for a lock. */
        LOCK,
        /** Time has passed, whatever the thread did. */
        WALL;

        public String word() {
            return EnumNames.of(this);
        }
    }

    /** The events in their order. */
    public List<Event> events() {
        return what.stream().sorted().toList();
    }

    public boolean of(Role role) {
        return of.contains(role);
    }

    /** True when a variant is to be profiled, whether or not it has the step. */
    public boolean takes(Variant variant) {
        return variants.isEmpty()
                || variants.stream()
                        .anyMatch(name ->
                                variant.name().equals(name) || variant.name().startsWith(name + "/"));
    }
}

package weir.plan;

import java.util.List;
import java.util.Set;

/**
 * The profiles of an experiment: the processes, the sampled events, the variants and the step.
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

    public enum Role {
        WORKERS,
        BROKERS,
        BRIDGE
    }

    /** The event at which a profiler samples a thread. */
    public enum Event {
        CPU,
        ALLOC,
        LOCK,
        /** An interval passed, whether or not the thread ran. */
        WALL;

        public String word() {
            return EnumNames.of(this);
        }
    }

    public List<Event> events() {
        return what.stream().sorted().toList();
    }

    public boolean of(Role role) {
        return of.contains(role);
    }

    /** True if the profile includes the variant, even if the variant lacks the step. */
    public boolean takes(Variant variant) {
        return variants.isEmpty()
                || variants.stream()
                        .anyMatch(name ->
                                variant.name().equals(name) || variant.name().startsWith(name + "/"));
    }
}

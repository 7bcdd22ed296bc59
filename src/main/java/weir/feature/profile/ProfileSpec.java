package weir.feature.profile;

import java.util.List;
import java.util.Set;
import weir.plan.EnumNames;
import weir.plan.Experiment;
import weir.plan.ExtraSpec;
import weir.plan.Rate;
import weir.plan.Variant;

/**
 * The profiles that an experiment requests: the processes, the sampled events, the variants and the step.
 *
 * @param variants names of variants; a name also selects all points of the variant's grid; empty for all variants
 * @param during rate of the step to profile; zero for the whole measured phase
 */
public record ProfileSpec(Set<Role> of, Set<Event> what, List<String> variants, Rate during) implements ExtraSpec {
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

    public enum Event {
        CPU,
        ALLOC,
        LOCK,
        /** An interval of time, even if the thread did not run. */
        WALL;

        public String word() {
            return EnumNames.of(this);
        }
    }

    static List<ProfileSpec> of(Experiment experiment) {
        return experiment.extras().stream()
                .filter(ProfileSpec.class::isInstance)
                .map(ProfileSpec.class::cast)
                .toList();
    }

    String step() {
        return during.equals(Rate.of(0)) ? "" : during.text();
    }

    public boolean of(Role role) {
        return of.contains(role);
    }

    public boolean takes(Variant variant) {
        return variants.isEmpty()
                || variants.stream()
                        .anyMatch(name ->
                                variant.name().equals(name) || variant.name().startsWith(name + "/"));
    }
}

package weir.plan;

import java.util.List;

/** Which processes are profiled, for what, in which variants and during which step. */
public record ProfileSpec(List<String> of, List<String> what, List<String> variants, String during) {
    public ProfileSpec {
        of = List.copyOf(of);
        what = List.copyOf(what);
        variants = List.copyOf(variants);
    }
}

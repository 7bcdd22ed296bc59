package weir.plan;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * One experiment file, checked and resolved. {@code profiles} and {@code fits} have at most one element.
 *
 * @param missing files that the experiment names and that are not there: fine to check, not to run
 */
public record Experiment(
        Path file,
        String name,
        String question,
        long seed,
        boolean shortened,
        List<Variant> variants,
        List<SearchSpec> searches,
        List<CompareSpec> comparisons,
        List<CompareSpec.Published> published,
        List<FitSpec> fits,
        List<Expectation> expectations,
        SortedMap<String, String> accepted,
        List<ProfileSpec> profiles,
        List<Problem> missing,
        SourcePositions places) {
    /** Every variant, in the place of the name of one. */
    public static final String EACH = "each";

    public Experiment {
        variants = List.copyOf(variants);
        searches = List.copyOf(searches);
        comparisons = List.copyOf(comparisons);
        published = List.copyOf(published);
        fits = List.copyOf(fits);
        expectations = List.copyOf(expectations);
        accepted = Collections.unmodifiableSortedMap(new TreeMap<>(accepted));
        profiles = List.copyOf(profiles);
        missing = List.copyOf(missing);
    }

    /** True when any variant runs something in pods of Kubernetes. */
    public boolean inPods() {
        return variants.stream().anyMatch(Variant::inPods);
    }

    /** The same with each variant as it becomes. */
    public Experiment with(UnaryOperator<Variant> changed) {
        return new Experiment(
                file,
                name,
                question,
                seed,
                shortened,
                variants.stream().map(changed).toList(),
                searches,
                comparisons,
                published,
                fits,
                expectations,
                accepted,
                profiles,
                missing,
                places);
    }

    /** Returns the searches for the capacity, one at the most. */
    public List<SearchSpec.Capacity> capacities() {
        return searches.stream()
                .filter(SearchSpec.Capacity.class::isInstance)
                .map(SearchSpec.Capacity.class::cast)
                .toList();
    }

    /** The searches that choose their trials by themselves, in the order in which they run. */
    public List<SearchSpec> adaptive() {
        return searches.stream().filter(SearchSpec::adaptive).toList();
    }

    /** The variants that a search is about, in their order. */
    public List<Variant> searched(SearchSpec search) {
        if (search.of().isEmpty()) {
            return variants.subList(0, 1);
        }
        return variants.stream()
                .filter(variant -> search.of().equals(EACH)
                        || variant.name().equals(search.of())
                        || variant.name().startsWith(search.of() + "/"))
                .toList();
    }

    /** True when nobody wrote at which rate a variant is to run, because that is what is searched for. */
    public boolean onlySearched(Variant variant) {
        Setting rate = variant.settings().get("load.rate");
        return !adaptive().isEmpty() && rate != null && rate.origin().equals("default");
    }
}

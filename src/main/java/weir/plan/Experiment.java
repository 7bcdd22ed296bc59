package weir.plan;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * One experiment file, checked and resolved. {@code profiles} and {@code fits} have at most one element.
 *
 * @param leftOut what {@code --only} leaves out beside the variants, because it speaks of them
 * @param unjudged the expectations of the file, as written, that speak of nothing in this run or of speed in a short one
 * @param remarks on what was read and has no effect, or is passed on unchecked
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
        List<String> leftOut,
        List<String> unjudged,
        List<String> remarks,
        List<Problem> missing,
        SourcePositions places) {
    /** Every variant, in the place of the name of one. */
    public static final String EACH = "each";

    private static final int MOST_LISTED = 5;

    public Experiment {
        variants = List.copyOf(variants);
        searches = List.copyOf(searches);
        comparisons = List.copyOf(comparisons);
        published = List.copyOf(published);
        fits = List.copyOf(fits);
        expectations = List.copyOf(expectations);
        accepted = Collections.unmodifiableSortedMap(new TreeMap<>(accepted));
        profiles = List.copyOf(profiles);
        leftOut = List.copyOf(leftOut);
        unjudged = List.copyOf(unjudged);
        remarks = List.copyOf(remarks);
        missing = List.copyOf(missing);
    }

    /** A line about all that is left out with the variants; empty for nothing. */
    public List<String> leftOutWithVariants() {
        if (leftOut.isEmpty()) {
            return List.of();
        }
        String first = leftOut.stream().limit(MOST_LISTED).collect(Collectors.joining(", "));
        String more = leftOut.size() > MOST_LISTED ? " and " + (leftOut.size() - MOST_LISTED) + " more" : "";
        return List.of("--only also leaves out what speaks of the other variants: " + first + more);
    }

    /** True when any variant runs something in pods of Kubernetes. */
    public boolean inPods() {
        return variants.stream().anyMatch(Variant::inPods);
    }

    /** The same with each variant as it becomes. */
    public Experiment with(UnaryOperator<Variant> changed) {
        return RecordKeys.with(
                this, Map.of("variants", variants.stream().map(changed).toList()));
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
        return !adaptive().isEmpty() && variant.rateUnsaid();
    }

    /** The places in a file where the values of an experiment were written. */
    public interface SourcePositions {
        /** The problem with the value at a path of a variant, or of the whole experiment where that is empty. */
        Problem problem(String variant, String path, String message);

        /** The problem with the setting of a variant at a path, placed at the value or else the section around it. */
        default Problem problem(Variant variant, String path, String message) {
            return problem(variant.name(), path, message);
        }

        /** The problem of a value that all variants share. */
        default Problem problem(String path, String message) {
            return problem("", path, message);
        }
    }
}

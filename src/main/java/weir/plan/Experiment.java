package weir.plan;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One experiment file, checked and resolved. {@code models} has at most one model of each kind.
 *
 * @param leftOut the parts that {@code --only} removes because they name variants that do not run
 * @param unjudged texts of expectations about parts that do not run, or about speed in a short run
 * @param remarks notes on keys without effect and on unchecked values
 * @param missing files that the experiment names but that do not exist; they prevent {@code weir run} but not {@code
 *     weir check}
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
        List<ModelSpec> models,
        List<Expectation> expectations,
        SortedMap<String, String> accepted,
        List<ExtraSpec> extras,
        List<String> leftOut,
        List<String> unjudged,
        List<String> remarks,
        List<Problem> missing,
        SourcePositions places) {
    public static final String EACH = "each";

    private static final int MOST_LISTED = 5;

    public Experiment {
        variants = List.copyOf(variants);
        searches = List.copyOf(searches);
        comparisons = List.copyOf(comparisons);
        published = List.copyOf(published);
        models = List.copyOf(models);
        expectations = List.copyOf(expectations);
        accepted = Collections.unmodifiableSortedMap(new TreeMap<>(accepted));
        extras = List.copyOf(extras);
        leftOut = List.copyOf(leftOut);
        unjudged = List.copyOf(unjudged);
        remarks = List.copyOf(remarks);
        missing = List.copyOf(missing);
    }

    /** The folder at which the relative paths of the file begin. */
    public Path folder() {
        Path parent = file.toAbsolutePath().getParent();
        return parent == null ? Path.of("/") : parent;
    }

    public List<String> leftOutWithVariants() {
        if (leftOut.isEmpty()) {
            return List.of();
        }
        String first = leftOut.stream().limit(MOST_LISTED).collect(Collectors.joining(", "));
        String more = leftOut.size() > MOST_LISTED ? " and " + (leftOut.size() - MOST_LISTED) + " more" : "";
        return List.of("--only also skips the parts of the file that name other variants: " + first + more);
    }

    public boolean inPods() {
        return variants.stream().anyMatch(Variant::inPods);
    }

    public Experiment with(UnaryOperator<Variant> changed) {
        return RecordKeys.with(
                this, Map.of("variants", variants.stream().map(changed).toList()));
    }

    public List<SearchSpec.Capacity> capacities() {
        return searches.stream()
                .filter(SearchSpec.Capacity.class::isInstance)
                .map(SearchSpec.Capacity.class::cast)
                .toList();
    }

    /** The searches that choose their own trials, which run before the listed trials. */
    public List<SearchSpec> adaptive() {
        return searches.stream()
                .filter(search -> !(search instanceof SearchSpec.BreakingPoint))
                .toList();
    }

    /** The names of the variants in the key {@code of} of a search: a variant, the points of its grid, or all. */
    public static List<String> named(String of, List<String> variants) {
        return of.isEmpty()
                ? variants.subList(0, Math.min(1, variants.size()))
                : of.equals(EACH) ? variants : points(of, variants);
    }

    /** The variant with this name, or all its grid points. */
    public static List<String> points(String name, Collection<String> variants) {
        return variants.contains(name)
                ? List.of(name)
                : variants.stream()
                        .filter(variant -> variant.startsWith(name + "/"))
                        .toList();
    }

    /** The variants of a search. If operations change the cluster of a variant, its capacity is searched twice. */
    public List<Variant> searched(SearchSpec search) {
        List<String> names =
                named(search.of(), variants.stream().map(Variant::name).toList());
        Stream<Variant> searched = variants.stream().filter(variant -> names.contains(variant.name()));
        return search instanceof SearchSpec.Capacity
                ? searched.flatMap(variant -> Stream.concat(Stream.of(variant), variant.onChangedCluster().stream()))
                        .toList()
                : searched.toList();
    }

    /** True if a search chooses the variant's rate because the file has none. */
    public boolean onlySearched(Variant variant) {
        return !adaptive().isEmpty() && variant.rateOmitted();
    }

    public interface SourcePositions {
        Problem problem(String variant, String path, String message);

        default Problem problem(Variant variant, String path, String message) {
            return problem(variant.name(), path, message);
        }

        default Problem problem(String path, String message) {
            return problem("", path, message);
        }
    }

    public interface ModelSpec {}
}

package weir.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Makes the experiment of what is said once at the top and of its variants. */
final class Questions {
    static final List<String> KEYS =
            List.of("name", "question", "seed", "search", "compare", "published", "fit", "expect", "accept", "profile");

    private Questions() {}

    /** @param top what is said once, its names resolved */
    static Experiment experiment(
            Path file,
            boolean shortened,
            Tree.Section top,
            List<Variant> variants,
            List<Problem> missing,
            SourcePositions places) {
        Tree.Section own = Defaults.fill(top.only(KEYS), KEYS);
        Part part = new Part(own);
        SortedMap<String, String> accepted = new TreeMap<>(part.properties("accept"));
        return new Experiment(
                file,
                part.text("name"),
                part.text("question"),
                Units.integer(part.text("seed")),
                shortened,
                variants,
                searches(part.part("search")),
                part.texts("compare").stream().map(Comparisons::parse).toList(),
                published(part.part("published")),
                fits(part, variants),
                part.texts("expect").stream().map(Expectations::parse).toList(),
                accepted,
                profiles(part),
                missing,
                BindVariant.settings(own),
                Resolved.experiment(file, shortened, own, variants),
                places);
    }

    private static List<Published> published(Part sources) {
        List<Published> published = new ArrayList<>();
        sources.tree().entries().keySet().forEach(source -> {
            Part pairs = sources.part(source);
            pairs.tree().entries().keySet().forEach(pair -> {
                Part stats = pairs.part(pair);
                stats.tree().entries().keySet().stream()
                        .filter(stat -> !stats.text(stat).isEmpty())
                        .forEach(stat -> published.add(new Published(
                                source, (CompareSpec.Over) Comparisons.parse(pair), stat, stats.decimal(stat))));
            });
        });
        return published;
    }

    private static List<FitSpec> fits(Part part, List<Variant> variants) {
        if (!part.has("fit")) {
            return List.of();
        }
        Part fit = part.part("fit");
        List<String> named = fit.texts("variants");
        return List.of(new FitSpec(
                fit.text("of"),
                fit.texts("by"),
                fit.percent("overhead"),
                fit.has("variants")
                        ? named
                        : variants.stream().map(Variant::name).toList()));
    }

    private static List<SearchSpec> searches(Part search) {
        List<SearchSpec> searches = new ArrayList<>();
        if (search.has("capacity")) {
            Part capacity = search.part("capacity");
            searches.add(new SearchSpec.Capacity(
                    capacity.text("of"),
                    limits(capacity),
                    capacity.rate("from"),
                    capacity.rate("to"),
                    capacity.percent("precision"),
                    capacity.duration("warmup"),
                    capacity.duration("measure")));
        }
        if (search.has("breaking-point")) {
            Part breaking = search.part("breaking-point");
            searches.add(new SearchSpec.BreakingPoint(breaking.text("of"), limits(breaking)));
        }
        if (search.has("partitions")) {
            Part partitions = search.part("partitions");
            searches.add(new SearchSpec.Partitions(partitions.text("of"), partitions.rate("for"), limits(partitions)));
        }
        return searches;
    }

    private static List<Expectation> limits(Part part) {
        return part.texts("limits").stream().map(Expectations::parse).toList();
    }

    private static List<ProfileSpec> profiles(Part part) {
        if (!part.has("profile")) {
            return List.of();
        }
        Part profile = part.part("profile");
        return List.of(new ProfileSpec(
                profile.texts("of"), profile.texts("what"), profile.texts("variants"), profile.text("during")));
    }
}

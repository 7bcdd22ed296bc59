package weir.plan.read;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import weir.plan.CompareSpec;
import weir.plan.EnumNames;
import weir.plan.Expectation;
import weir.plan.Experiment;
import weir.plan.FitSpec;
import weir.plan.Problem;
import weir.plan.ProfileSpec;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.check.ScalingGroup;
import weir.plan.check.TuneChecks;
import weir.plan.syntax.CheckedSection;
import weir.plan.syntax.CompareLines;
import weir.plan.syntax.Defaults;
import weir.plan.syntax.ExpectationParser;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Tree;
import weir.plan.syntax.Units;

/** Makes the experiment of what is said once at the top and of its variants. */
final class BindExperiment {
    private BindExperiment() {}

    /** @param top what is said once, its names resolved */
    static Experiment experiment(
            Path file,
            boolean shortened,
            Tree.Section top,
            List<Variant> variants,
            List<String> leftOut,
            List<String> unjudged,
            List<String> remarks,
            List<Problem> missing,
            Experiment.SourcePositions places) {
        Tree.Section own = Defaults.fill(top.only(Keys.ONCE), Keys.ONCE);
        CheckedSection part = new CheckedSection(own);
        SortedMap<String, String> accepted = new TreeMap<>(part.properties("accept"));
        return new Experiment(
                file,
                part.text("name"),
                part.text("question"),
                Units.integer(part.text("seed")),
                shortened,
                variants,
                searches(part.part("search")),
                part.texts("compare").stream().map(CompareLines::parse).toList(),
                published(part.part("published")),
                fits(part, variants),
                part.texts("expect").stream().map(ExpectationParser::parse).toList(),
                accepted,
                profiles(part),
                leftOut,
                unjudged,
                remarks,
                missing,
                places);
    }

    private static List<CompareSpec.Published> published(CheckedSection sources) {
        List<CompareSpec.Published> published = new ArrayList<>();
        sources.tree().entries().keySet().forEach(source -> {
            CheckedSection pairs = sources.part(source);
            pairs.tree().entries().keySet().forEach(pair -> {
                CheckedSection stats = pairs.part(pair);
                stats.tree().entries().keySet().stream()
                        .filter(stat -> stats.tree().entries().get(stat) instanceof Tree.Text text
                                && !text.isNull()
                                && !text.text().isEmpty())
                        .forEach(stat -> published.add(new CompareSpec.Published(
                                source, (CompareSpec.Over) CompareLines.parse(pair), stat, stats.decimal(stat))));
            });
        });
        return published;
    }

    private static List<FitSpec> fits(CheckedSection part, List<Variant> variants) {
        if (!part.has("fit")) {
            return List.of();
        }
        CheckedSection fit = part.part("fit");
        List<String> taking = fit.has("variants")
                ? fit.texts("variants")
                : variants.stream().map(Variant::name).toList();
        if (fit.has("scaling")) {
            String scaling = fit.text("scaling");
            return List.of(new FitSpec.Scaling(
                    scaling,
                    ScalingGroup.of(scaling, variants).stream()
                            .filter(ScalingGroup::scales)
                            .flatMap(group -> group.variants().stream().map(Variant::name))
                            .filter(taking::contains)
                            .toList()));
        }
        return List.of(new FitSpec.Cost(fit.text("of"), fit.texts("by"), fit.percent("overhead"), taking));
    }

    private static List<SearchSpec> searches(CheckedSection search) {
        List<SearchSpec> searches = new ArrayList<>();
        if (search.has("capacity")) {
            CheckedSection capacity = search.part("capacity");
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
            CheckedSection breaking = search.part("breaking-point");
            searches.add(new SearchSpec.BreakingPoint(breaking.text("of"), limits(breaking)));
        }
        if (search.has("partitions")) {
            CheckedSection partitions = search.part("partitions");
            searches.add(new SearchSpec.Partitions(
                    partitions.text("of"),
                    partitions.rate("for"),
                    limits(partitions),
                    partitions.duration("warmup"),
                    partitions.duration("measure")));
        }
        if (search.has("tune")) {
            searches.add(TuneChecks.asked(search.part("tune")));
        }
        return searches;
    }

    private static List<Expectation> limits(CheckedSection part) {
        return part.texts("limits").stream().map(ExpectationParser::parse).toList();
    }

    private static List<ProfileSpec> profiles(CheckedSection part) {
        if (!part.has("profile")) {
            return List.of();
        }
        CheckedSection profile = part.part("profile");
        return List.of(new ProfileSpec(
                constants(profile.texts("of"), ProfileSpec.Role.class),
                constants(profile.texts("what"), ProfileSpec.Event.class),
                profile.texts("variants"),
                profile.has("during") ? profile.rate("during").text() : ""));
    }

    private static <E extends Enum<E>> Set<E> constants(List<String> words, Class<E> family) {
        return words.stream().map(word -> EnumNames.constant(word, family)).collect(Collectors.toSet());
    }
}

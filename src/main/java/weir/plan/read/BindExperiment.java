package weir.plan.read;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import weir.plan.CompareSpec;
import weir.plan.Experiment;
import weir.plan.FitSpec;
import weir.plan.Problem;
import weir.plan.Variant;
import weir.plan.check.ScalingGroup;
import weir.plan.syntax.CheckedSection;
import weir.plan.syntax.CompareLines;
import weir.plan.syntax.Defaults;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Tree;

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
        return new Binder(own)
                .bind(
                        Experiment.class,
                        Map.of(
                                "file", file,
                                "shortened", shortened,
                                "variants", variants,
                                "published", published(part.part("published")),
                                "fits", fits(part, variants),
                                "leftOut", leftOut,
                                "unjudged", unjudged,
                                "remarks", remarks,
                                "missing", missing,
                                "places", places));
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
}

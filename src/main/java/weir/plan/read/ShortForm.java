package weir.plan.read;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.feature.Features;
import weir.feature.SearchKind;
import weir.plan.BacklogSpec;
import weir.plan.Expectation;
import weir.plan.RateSpec;
import weir.plan.syntax.CaveatType;
import weir.plan.syntax.Defaults;
import weir.plan.syntax.ExpectationParser;
import weir.plan.syntax.KeyDescription;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Origin;
import weir.plan.syntax.PaceSyntax;
import weir.plan.syntax.Tree;
import weir.plan.syntax.Units;
import weir.plan.syntax.ValueSyntax;

/**
 * The short form of an experiment, which shows on any machine that the experiment works. The short form limits lengths
 * and amounts, and skips expectations about speed. Values in the section {@code short} and on the command line are
 * exceptions. The short form accepts a late generator.
 */
final class ShortForm {
    static final String WHY = "a short run shows that the experiment works, not how fast Kafka is";

    private static final List<CaveatType> ACCEPTED =
            List.of(CaveatType.named("generator-late"), CaveatType.named("rate-missed"));

    private static final String LAYER = "--short";
    /** The measured time with a disturbance, long enough to lose and regain a stopped broker. */
    private static final String DISTURBED = "30s";

    private static final Duration STEP = Duration.ofSeconds(2);
    private static final long OPERATIONS = 50_000;
    private static final long OPERATIONS_IN_TURN = 200;
    private static final double OPERATIONS_SECONDS = 10;

    private static final long BACKLOG = 200_000;
    private static final double PRECISION = 0.5;

    private ShortForm() {}

    static Tree.Section bounded(Tree.Section variant) {
        double before = seconds(variant);
        long operations = operations(variant.section("load"));
        Tree.Section bounded = most(Keys.ROOT, inside(variant, "load", ShortForm::steps));
        if (!variant.section("during").entries().isEmpty()
                && variant.entries().get("measure") instanceof Tree.Text measure) {
            bounded = most(bounded.with("measure", measure), "measure", DISTURBED);
        }
        for (String phase : List.of("warmup", "measure")) {
            bounded = inside(bounded, phase, inner -> most(inner, "operations", operations));
        }
        long read = operations(bounded, "warmup") + operations(bounded, "measure");
        bounded = inside(bounded, "load", load -> backlog(load, read));
        double factor = before > 0 ? seconds(bounded) / before : 1;
        return factor < 1 ? inside(bounded, "during", during -> sooner(during, factor)) : bounded;
    }

    private static Tree.Section most(KeyDescription key, Tree.Section section) {
        Tree.Section bounded = section;
        for (Map.Entry<String, Tree> entry : section.entries().entrySet()) {
            KeyDescription child = Keys.below(key, entry.getKey());
            if (entry.getValue() instanceof Tree.Section inner) {
                bounded = bounded.with(entry.getKey(), most(child, inner));
            } else if (child.facts().has("short")) {
                bounded = most(bounded, entry.getKey(), child.text("short"));
            }
        }
        return bounded;
    }

    static Tree.Section searching(Tree.Section top) {
        if (!top.has("search")) {
            return top;
        }
        Tree.Section search =
                Defaults.fill(top.only(List.of("search")), List.of("search")).section("search");
        Tree.Section bounded = inside(most(Keys.at("search"), search), "capacity", ShortForm::capacity);
        for (SearchKind kind : Features.each(SearchKind.class)) {
            Tree.Section own = search.section(kind.name());
            if (kind.keepsLengths() && (asked(own, "warmup") || asked(own, "measure"))) {
                bounded = bounded.with(kind.name(), own);
            }
        }
        return top.with("search", bounded);
    }

    private static Tree.Section capacity(Tree.Section capacity) {
        boolean finer = !asked(capacity, "precision")
                && Units.percent(capacity.text("precision")).share() < PRECISION;
        return finer ? capacity.with("precision", textNode(Math.round(PRECISION * 100) + "%")) : capacity;
    }

    private static double seconds(Tree.Section variant) {
        String measure = variant.text("measure");
        if (Units.DURATION.matcher(measure).matches()) {
            return Units.duration(measure).toMillis() / 1e3;
        }
        Tree.Section rate = variant.section("load").section("rate");
        String text = variant.section("load").text("rate");
        List<RateSpec.Step> steps =
                !text.isEmpty() && !PaceSyntax.pace(text).steps().isEmpty()
                        ? PaceSyntax.pace(text).steps()
                        : rate.items("steps").stream()
                                .flatMap(step -> PaceSyntax.steps(step.line()).stream())
                                .toList();
        return steps.stream()
                .mapToDouble(step -> step.length().toMillis() / 1e3)
                .sum();
    }

    private static long operations(Tree.Section load) {
        String rate = load.text("rate");
        if (rate.isEmpty()) {
            return OPERATIONS;
        }
        RateSpec pace = PaceSyntax.pace(rate);
        if (pace instanceof RateSpec.Fixed fixed) {
            return (long) Math.max(1, Math.min(OPERATIONS, fixed.rate().perSecond() * OPERATIONS_SECONDS));
        }
        return pace instanceof RateSpec.AtATime loop
                ? Math.min(OPERATIONS, OPERATIONS_IN_TURN * loop.operations())
                : OPERATIONS;
    }

    private static long operations(Tree.Section variant, String phase) {
        String operations = variant.section(phase).text("operations");
        return operations.isEmpty() ? 0 : Units.records(operations);
    }

    private static Tree.Section steps(Tree.Section load) {
        if (load.entries().get("rate") instanceof Tree.Text text
                && !asked(text)
                && !PaceSyntax.pace(text.text()).steps().isEmpty()) {
            String shorter = Stream.of(text.text().split(", ?", -1))
                    .map(stage -> stage.replaceFirst(":.*", "") + ":" + STEP.toSeconds())
                    .collect(Collectors.joining(","));
            return load.with("rate", textNode(shorter));
        }
        return inside(load, "rate", rate -> {
            if (!(rate.entries().get("steps") instanceof Tree.Items steps)) {
                return rate;
            }
            List<Tree> shorter = steps.items().stream()
                    .map(step ->
                            asked(step) ? step : textNode(step.line().replaceFirst(" for .*", " for " + text(STEP))))
                    .toList();
            return rate.with("steps", new Tree.Items(shorter, steps.origin()));
        });
    }

    private static Tree.Section backlog(Tree.Section load, long read) {
        Tree written = load.entries().getOrDefault("backlog", load);
        BacklogSpec backlog = written instanceof Tree.Text text
                ? ValueSyntax.backlog(text.text())
                : written instanceof Tree.Section section && section.has("records")
                        ? BacklogSpec.ofRecords(Units.records(section.text("records")))
                        : BacklogSpec.NONE;
        long most = Math.max(BACKLOG, read + read / 3);
        if (backlog.records() <= most) {
            return load;
        }
        return written instanceof Tree.Section
                ? inside(load, "backlog", section -> most(section, "records", most))
                : asked(written) ? load : load.with("backlog", textNode(most + " records"));
    }

    private static Tree.Section sooner(Tree.Section during, double factor) {
        Tree.Section sooner = during;
        for (String name : during.entries().keySet()) {
            for (String key : List.of("at", "for")) {
                sooner = inside(sooner, name, one -> {
                    String time = one.text(key);
                    return time.isEmpty()
                            ? one
                            : most(one, key, (long) (Units.duration(time).toMillis() * factor) + "ms");
                });
            }
        }
        return sooner;
    }

    private static Tree.Section inside(Tree.Section section, String key, UnaryOperator<Tree.Section> change) {
        return section.entries().get(key) instanceof Tree.Section inner
                ? section.with(key, change.apply(inner))
                : section;
    }

    private static Tree.Section most(Tree.Section section, String key, String most) {
        String written = section.text(key);
        if (!Units.DURATION.matcher(most).matches()) {
            return most(section, key, Units.records(most));
        }
        boolean longer = Units.DURATION.matcher(written).matches()
                && Units.duration(written).compareTo(Units.duration(most)) > 0;
        return longer && !asked(section, key) ? section.with(key, textNode(text(Units.duration(most)))) : section;
    }

    private static Tree.Section most(Tree.Section section, String key, long most) {
        String written = section.text(key);
        boolean more = !written.isEmpty() && Units.records(written) > most;
        return more && !asked(section, key) ? section.with(key, textNode(String.valueOf(most))) : section;
    }

    private static boolean asked(Tree.Section section, String key) {
        return section.has(key) && asked(section.entries().getOrDefault(key, section));
    }

    private static boolean asked(Tree tree) {
        String layer = tree.origin().layer();
        return layer.equals(PlanReader.SHORT) || layer.startsWith("-");
    }

    private static String text(Duration duration) {
        return duration.toMillis() + "ms";
    }

    private static Tree.Text textNode(String text) {
        return new Tree.Text(text, true, Origin.unwritten(LAYER));
    }

    static Tree.Section of(Tree.Section top) {
        Tree.Section accepted = top.section("accept");
        for (CaveatType caveat : ACCEPTED) {
            if (!accepted.has(caveat.word())) {
                accepted = accepted.with(caveat.word(), new Tree.Text(WHY, true, Origin.unwritten(LAYER)));
            }
        }
        Tree.Section lenient = top.with("accept", accepted);
        if (top.entries().get("expect") instanceof Tree.Items expected) {
            List<Tree> judged = expected.items().stream()
                    .filter(item -> !item.origin().layer().isEmpty() || !ofSpeed(ExpectationParser.parse(item.line())))
                    .toList();
            return lenient.with("expect", new Tree.Items(judged, expected.origin()));
        }
        return lenient;
    }

    private static boolean ofSpeed(Expectation expected) {
        boolean number = expected.unit() == Expectation.Unit.NUMBER || expected.unit() == Expectation.Unit.RECORDS;
        return !expected.counts() && (expected.ratio() || !number);
    }
}

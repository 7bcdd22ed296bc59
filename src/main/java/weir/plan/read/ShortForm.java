package weir.plan.read;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.plan.BacklogSpec;
import weir.plan.Expectation;
import weir.plan.RateSpec;
import weir.plan.syntax.CaveatType;
import weir.plan.syntax.Defaults;
import weir.plan.syntax.ExpectationParser;
import weir.plan.syntax.Origin;
import weir.plan.syntax.PaceSyntax;
import weir.plan.syntax.Tree;
import weir.plan.syntax.Units;
import weir.plan.syntax.ValueSyntax;

/**
 * The short form of an experiment, which shows that everything works on any machine. It accepts a late generator,
 * judges speed only if the section {@code short} or the command line says so, and limits all other lengths and
 * amounts.
 */
final class ShortForm {
    static final String WHY = "a short form shows that it works, not how fast it is";

    private static final List<CaveatType> ACCEPTED = List.of(CaveatType.GENERATOR_LATE, CaveatType.RATE_MISSED);

    private static final String LAYER = "--short";
    private static final Duration WARMUP = Duration.ofSeconds(3);
    private static final Duration MEASURE = Duration.ofSeconds(10);
    /** The measured time with a disturbance: the cluster must notice a stopped broker and take it back. */
    private static final Duration DISTURBED = Duration.ofSeconds(30);

    private static final Duration STEP = Duration.ofSeconds(2);
    private static final Duration REST = Duration.ofSeconds(1);
    private static final Duration DRAIN = Duration.ofSeconds(10);
    private static final long OPERATIONS = 50_000;
    private static final long OPERATIONS_IN_TURN = 200;

    private static final long BACKLOG = 200_000;
    private static final Duration TRY_WARMUP = Duration.ofSeconds(1);
    private static final Duration TRY = Duration.ofMillis(500);
    private static final Duration BUDGET = Duration.ofSeconds(150);
    private static final double PRECISION = 0.5;

    private ShortForm() {}

    static Tree.Section bounded(Tree.Section variant) {
        double before = seconds(variant);
        long operations = operations(variant.section("load"));
        Tree.Section bounded = most(variant, "repeat", 1);
        bounded = most(bounded, "warmup", WARMUP);
        bounded = inside(bounded, "warmup", warmup -> {
            Tree.Section timed = most(most(warmup, "for", WARMUP), "max", WARMUP);
            return most(timed, "operations", operations);
        });
        bounded = most(bounded, "measure", variant.section("during").entries().isEmpty() ? MEASURE : DISTURBED);
        bounded = inside(bounded, "measure", measure -> most(measure, "operations", operations));
        bounded = most(bounded, "drain", DRAIN);
        bounded = inside(
                bounded,
                "load",
                load -> inside(steps(load), "rate", rate -> {
                    Tree.Section stepped = most(rate, "rest", REST);
                    return inside(stepped, "ramp", ramp -> most(ramp, "over", MEASURE));
                }));
        long read = operations(bounded, "warmup") + operations(bounded, "measure");
        bounded = inside(bounded, "load", load -> backlog(load, read));
        double factor = before > 0 ? seconds(bounded) / before : 1;
        return factor < 1 ? inside(bounded, "during", during -> sooner(during, factor)) : bounded;
    }

    static Tree.Section searching(Tree.Section top) {
        if (!top.has("search")) {
            return top;
        }
        Tree.Section filled = Defaults.fill(top.only(List.of("search")), List.of("search"));
        return inside(top.with("search", filled.section("search")), "search", search -> {
            Tree.Section bounded = inside(search, "capacity", ShortForm::capacity);
            bounded = inside(bounded, "partitions", ShortForm::tries);
            return inside(bounded, "tune", tune -> {
                boolean own = asked(tune, "warmup") || asked(tune, "measure");
                return own ? tune : most(tries(tune), "budget", BUDGET);
            });
        });
    }

    private static Tree.Section capacity(Tree.Section capacity) {
        boolean finer = !asked(capacity, "precision")
                && Units.percent(capacity.text("precision")).share() < PRECISION;
        Tree.Section tried = tries(capacity);
        return finer ? tried.with("precision", said(Math.round(PRECISION * 100) + "%")) : tried;
    }

    private static Tree.Section tries(Tree.Section search) {
        return most(most(search, "warmup", TRY_WARMUP), "measure", TRY);
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
            double seconds = MEASURE.toMillis() / 1e3;
            return (long) Math.max(1, Math.min(OPERATIONS, fixed.rate().perSecond() * seconds));
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
            return load.with("rate", said(shorter));
        }
        return inside(load, "rate", rate -> {
            if (!(rate.entries().get("steps") instanceof Tree.Items steps)) {
                return rate;
            }
            List<Tree> shorter = steps.items().stream()
                    .map(step -> asked(step) ? step : said(step.line().replaceFirst(" for .*", " for " + text(STEP))))
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
                : asked(written) ? load : load.with("backlog", said(most + " records"));
    }

    private static Tree.Section sooner(Tree.Section during, double factor) {
        Tree.Section sooner = during;
        for (String name : during.entries().keySet()) {
            for (String key : List.of("at", "for")) {
                sooner = inside(sooner, name, one -> {
                    String time = one.text(key);
                    return time.isEmpty()
                            ? one
                            : most(one, key, Duration.ofMillis((long)
                                    (Units.duration(time).toMillis() * factor)));
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

    private static Tree.Section most(Tree.Section section, String key, Duration most) {
        String written = section.text(key);
        boolean longer = Units.DURATION.matcher(written).matches()
                && Units.duration(written).compareTo(most) > 0;
        return longer && !asked(section, key) ? section.with(key, said(text(most))) : section;
    }

    private static Tree.Section most(Tree.Section section, String key, long most) {
        String written = section.text(key);
        boolean more = !written.isEmpty() && Units.records(written) > most;
        return more && !asked(section, key) ? section.with(key, said(String.valueOf(most))) : section;
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

    private static Tree.Text said(String text) {
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
            List<Tree> judged =
                    expected.items().stream().filter(ShortForm::judged).toList();
            return lenient.with("expect", new Tree.Items(judged, expected.origin()));
        }
        return lenient;
    }

    private static boolean judged(Tree expected) {
        return !expected.origin().layer().isEmpty() || !ofSpeed(ExpectationParser.parse(expected.line()));
    }

    private static boolean ofSpeed(Expectation expected) {
        boolean number = expected.unit() == Expectation.Unit.NUMBER || expected.unit() == Expectation.Unit.RECORDS;
        return !expected.counts() && (expected.ratio() || !number);
    }
}

package weir.plan.trial;

import static java.util.Map.entry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import weir.plan.BacklogSpec;
import weir.plan.BridgeSpec;
import weir.plan.ClusterSpec;
import weir.plan.EnumNames;
import weir.plan.Experiment;
import weir.plan.GroupSpec;
import weir.plan.Limits;
import weir.plan.LoadPart;
import weir.plan.LoadSpec;
import weir.plan.MeasureSpec;
import weir.plan.RateSpec;
import weir.plan.RecordKeys;
import weir.plan.SearchSpec;
import weir.plan.TopicSpec;
import weir.plan.TransactionSpec;
import weir.plan.Variant;
import weir.plan.Verify;
import weir.plan.WarmupSpec;

/**
 * The senders of a variant with the null target, which acknowledges all messages and keeps none. At full speed, their
 * rate is the generator's ceiling. A trial at the variant's own rates, a few seconds each, shows the rates that the
 * generator cannot reach.
 */
public final class SendersAlone {
    static final Duration CEILING = Duration.ofSeconds(9);

    private static final Duration WORTH = Duration.ofSeconds(60);
    private static final Duration LENGTH = Duration.ofSeconds(3);
    private static final Duration AROUND = Duration.ofSeconds(3);

    private static final Duration STEP_AT_MOST = Duration.ofSeconds(5);
    private static final List<String> ACCESS = List.of("security.", "sasl.", "ssl.");

    private SendersAlone() {}

    /** The reason why Weir measures no ceiling for a variant; empty if it measures the ceiling. */
    public static String none(Experiment experiment, Variant variant) {
        String none = none(variant);
        if (!none.isEmpty()) {
            return none;
        }
        if (experiment.shortened()) {
            return "not measured by --short";
        }
        return worth(experiment) ? "" : "not measured in a run of less than " + WORTH.toSeconds() + " s";
    }

    private static boolean worth(Experiment experiment) {
        return Estimate.ofTrials(experiment).time().compareTo(WORTH) >= 0;
    }

    private static String none(Variant variant) {
        if (variant.load().target() == LoadSpec.Target.NULL) {
            return "the target is already null";
        }
        if (!sends(variant)) {
            return variant.load().workload() == LoadSpec.Workload.CONSUME
                    ? "the workload sends nothing"
                    : "not measured for the workload "
                            + EnumNames.of(variant.load().workload());
        }
        if (variant.load().placed().remote()) {
            return "not measured, because the workers run on other hosts and the null target runs on this machine";
        }
        if (variant.load().producers().engine() == LoadSpec.Engine.OTHER) {
            String without = variant.load().parts().stream()
                    .map(LoadPart::withoutNullTarget)
                    .filter(why -> !why.isEmpty())
                    .findFirst()
                    .orElse("");
            if (!without.isEmpty()) {
                return without;
            }
        }
        if (variant.load().rate() instanceof RateSpec.AtATime loop && loop.operations() == 1) {
            return "the load waits for each answer before it sends the next operation";
        }
        return "";
    }

    static boolean sends(Variant variant) {
        return variant.load().workload() == LoadSpec.Workload.PRODUCE
                || variant.load().workload() == LoadSpec.Workload.DELIVER;
    }

    public static String without(Variant variant) {
        return variant.cluster().plaintext() ? "" : "without encryption and login";
    }

    /** The variant that measures the ceiling. Variants with an equal result share their ceiling. */
    public static Variant ceiling(Variant variant) {
        return alone(variant, new RateSpec.Max(), new WarmupSpec.For(LENGTH), new MeasureSpec.For(LENGTH));
    }

    private static Variant alone(Variant variant, RateSpec rate, WarmupSpec warmup, MeasureSpec measure) {
        SortedMap<String, TopicSpec> topics = new TreeMap<>();
        variant.topics()
                .forEach((name, topic) ->
                        topics.put(name, new TopicSpec(topic.partitions(), 1, topic.count(), false, new TreeMap<>())));
        LoadSpec.Producers producers = variant.load().producers();
        return RecordKeys.with(
                variant,
                Map.ofEntries(
                        entry("name", "alone"),
                        entry("repeat", 1),
                        entry(
                                "cluster",
                                ClusterSpec.existing(
                                        "", withoutAccess(variant.cluster().client()))),
                        entry("topics", topics),
                        entry("bridge", new BridgeSpec.None()),
                        entry("load.workload", LoadSpec.Workload.PRODUCE),
                        entry("load.target", LoadSpec.Target.NULL),
                        entry("load.rate", rate),
                        entry("load.backlog", BacklogSpec.NONE),
                        entry("load.producer", withoutAccess(producers.properties())),
                        entry("load.engine.receive", producers.engine()),
                        entry("load.consumer", Collections.emptySortedMap()),
                        entry("load.group", GroupSpec.ASSIGNED),
                        entry(
                                "load.parts",
                                variant.load().parts().stream()
                                        .map(LoadPart::sending)
                                        .toList()),
                        entry("load.transaction", new TransactionSpec.None()),
                        entry("load.within", Limits.NONE),
                        entry("before", List.of()),
                        entry("warmup", warmup),
                        entry("measure", measure),
                        entry("verify", Verify.TRUE),
                        entry("during", Map.of()),
                        entry("gridPoint", new TreeMap<>()),
                        entry("settings", new TreeMap<>())));
    }

    private static SortedMap<String, String> withoutAccess(SortedMap<String, String> properties) {
        SortedMap<String, String> kept = new TreeMap<>(properties);
        kept.keySet().removeIf(name -> ACCESS.stream().anyMatch(name::startsWith));
        return kept;
    }

    static long ceilings(Experiment experiment) {
        if (experiment.shortened() || !worth(experiment)) {
            return 0;
        }
        return experiment.variants().stream()
                .filter(variant -> none(variant).isEmpty())
                .map(SendersAlone::ceiling)
                .distinct()
                .count();
    }

    /** True if Weir tries the variant's own rates, because a search asks for the broken step. */
    public static boolean paced(Experiment experiment, Variant variant) {
        return !experiment.shortened()
                && variant.load().target() == LoadSpec.Target.CLUSTER
                && variant.load().producers().engine() != LoadSpec.Engine.OTHER
                && sends(variant)
                && !variant.load().placed().remote()
                && experiment.searches().stream()
                        .anyMatch(search -> search instanceof SearchSpec.BreakingPoint breaking
                                && breaking.asked(experiment).contains(variant));
    }

    static List<RateSpec.Step> steps(RateSpec rate) {
        List<RateSpec.Step> rising = new ArrayList<>();
        double highest = 0;
        for (RateSpec.Step step : rate.steps()) {
            if (step.rate().perSecond() > highest) {
                highest = step.rate().perSecond();
                rising.add(step);
            }
        }
        return rising;
    }

    /** The variant with only its senders. Two variants with an equal result share the trial. */
    public static Variant pace(Variant variant) {
        RateSpec rate = variant.load().rate();
        if (rate.steps().isEmpty()) {
            throw new IllegalArgumentException("variant '" + variant.name() + "' has no steps");
        }
        List<RateSpec.Step> steps = steps(rate).stream()
                .map(step -> new RateSpec.Step(step.rate(), step.perProducer(), length(step)))
                .toList();
        return alone(
                variant,
                new RateSpec.Steps(steps, Duration.ZERO, false),
                new WarmupSpec.ForAt(LENGTH, new RateSpec.Max()),
                new MeasureSpec.AsLongAsRates());
    }

    private static Duration length(RateSpec.Step step) {
        return step.length().compareTo(STEP_AT_MOST) < 0 ? step.length() : STEP_AT_MOST;
    }

    /** The total time in a run. Equal senders at equal rates run once. */
    static Duration takes(Experiment experiment) {
        return experiment.variants().stream()
                .filter(variant -> paced(experiment, variant))
                .collect(Collectors.toMap(SendersAlone::pace, SendersAlone::takes, (a, b) -> a))
                .values()
                .stream()
                .reduce(Duration.ZERO, Duration::plus);
    }

    private static Duration takes(Variant variant) {
        return steps(variant.load().rate()).stream()
                .map(SendersAlone::length)
                .reduce(LENGTH.plus(AROUND), Duration::plus);
    }
}

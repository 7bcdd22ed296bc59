package weir.plan.trial;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.BridgeSpec;
import weir.plan.ClusterSpec;
import weir.plan.EnumNames;
import weir.plan.Experiment;
import weir.plan.HttpSpec;
import weir.plan.LoadSpec;
import weir.plan.MeasureSpec;
import weir.plan.RateSpec;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.Verify;
import weir.plan.WarmupSpec;

/**
 * The senders of a variant at full speed against a null target. Their rate is the ceiling of the generator, against
 * which results are judged.
 */
public final class FullSpeedVariant {
    static final Duration TAKES = Duration.ofSeconds(9);

    private static final Duration WORTH = Duration.ofSeconds(60);

    private static final Duration LENGTH = Duration.ofSeconds(3);

    private static final List<String> ACCESS = List.of("security.", "sasl.", "ssl.");

    private FullSpeedVariant() {}

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
            return "the target is null itself";
        }
        if (!sends(variant)) {
            return variant.load().workload() == LoadSpec.Workload.CONSUME
                    ? "nothing is sent"
                    : "not measured for the workload "
                            + EnumNames.of(variant.load().workload());
        }
        if (variant.load().placed().elsewhere()) {
            return "not measured: the workers run on other hosts, and a null target runs here";
        }
        boolean second = variant.load().producers().http().version() == HttpSpec.Version.HTTP_2;
        if (second && variant.load().producers().engine() == LoadSpec.Engine.HTTP) {
            return "a null target speaks no HTTP/2";
        }
        if (variant.load().rate() instanceof RateSpec.AtATime loop && loop.operations() == 1) {
            return "one at a time waits for every answer";
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

    /** The variant that measures the ceiling; variants for which it is equal share their ceiling. */
    public static Variant of(Variant variant) {
        return alone(variant, new RateSpec.Max(), new WarmupSpec.For(LENGTH), new MeasureSpec.For(LENGTH));
    }

    static Variant alone(Variant variant, RateSpec rate, WarmupSpec warmup, MeasureSpec measure) {
        SortedMap<String, TopicSpec> topics = new TreeMap<>();
        variant.topics()
                .forEach((name, topic) ->
                        topics.put(name, new TopicSpec(topic.partitions(), 1, topic.count(), false, new TreeMap<>())));
        return new Variant(
                "alone",
                variant.seed(),
                1,
                ClusterSpec.existing("", withoutAccess(variant.cluster().client())),
                topics,
                new BridgeSpec.None(),
                variant.load()
                        .sendingSide(
                                rate, withoutAccess(variant.load().producers().properties())),
                List.of(),
                warmup,
                measure,
                variant.drain(),
                Verify.TRUE,
                Map.of(),
                new TreeMap<>(),
                new TreeMap<>());
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
                .map(FullSpeedVariant::of)
                .distinct()
                .count();
    }
}

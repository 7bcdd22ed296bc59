package weir.plan.check;

import java.nio.file.Files;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import weir.feature.Features;
import weir.plan.ClusterSpec;
import weir.plan.DisturbanceSpec;
import weir.plan.Expectation;
import weir.plan.LoadSpec;
import weir.plan.NearestWord;
import weir.plan.RateSpec;
import weir.plan.Releases;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.WarmupSpec;
import weir.plan.syntax.ExpectationParser;
import weir.plan.syntax.Findings;
import weir.plan.syntax.ProblemSpot;
import weir.plan.syntax.Tree;
import weir.plan.trial.Demand;

/** The checks that the values of a variant fit together. A check skips a value that depends on an incorrect value. */
public record Checks(ProblemSpot spot, Variant variant) {
    private static final List<VariantCheck> CHECKS = Features.each(VariantCheck.class);

    public static final int MOST_BROKERS = 5;
    /** The largest request of a producer without {@code max.request.size}, in bytes. */
    public static final long MAX_REQUEST_BYTES = 1 << 20;

    public void check() {
        new Requirements(spot, variant).check();
        rates();
        load(variant.load());
        CHECKS.forEach(check -> check.check(spot, variant));
        variant.topics().forEach(this::held);
        if (variant.cluster().startedByWeir()) {
            embedded(variant.cluster());
        }
        variant.during().forEach((name, disturbance) -> disturbance("during." + name, disturbance));
    }

    public static void together(LayeredExperiment draft, Findings findings) {
        if (draft.laid().size() < draft.names().size()) {
            return;
        }
        CHECKS.forEach(check -> check.together(draft.laid(), findings));
        List<LayeredExperiment.LayeredVariant> all = draft.laid().stream()
                .filter(laid -> laid.variant().load().target() == LoadSpec.Target.CLUSTER)
                .toList();
        for (LayeredExperiment.LayeredVariant laid : all) {
            ClusterSpec asked = laid.variant().cluster();
            boolean shared = asked.startedByWeir() && !asked.freshEachTrial();
            boolean alike = asked.placed().equals(all.get(0).variant().cluster().placed())
                    && own(laid).equals(own(all.get(0)));
            if (shared && !alike) {
                String message = "variants '" + all.get(0).variant().name() + "' and '"
                        + laid.variant().name()
                        + "' have different clusters, so each trial requires its own cluster; write fresh: trial";
                new ProblemSpot(laid.tree(), findings).wrong("cluster.fresh", message);
                return;
            }
        }
    }

    private static String own(LayeredExperiment.LayeredVariant laid) {
        return laid.tree().section("cluster").without("client", "placed").line();
    }

    public static void metrics(Tree.Section top, List<LayeredExperiment.LayeredVariant> chosen, Findings findings) {
        for (Tree item : top.items("expect")) {
            Expectation expectation = ExpectationParser.parse(item.line());
            for (LayeredExperiment.LayeredVariant laid : chosen) {
                String name = laid.variant().name();
                boolean meant = expectation.of().isEmpty()
                        || expectation.of().equals(name)
                        || expectation.over().equals(name);
                if (meant && new ProblemSpot(laid.tree(), findings).sound("expect")) {
                    String hint = expectation.of().isEmpty() ? "; write the variant, as in of VARIANT" : "";
                    findings.lacking(item, "expect", expectation.metric(), laid.variant(), hint);
                }
            }
        }
    }

    private void load(LoadSpec load) {
        List<String> topics = variant.topics().keySet().stream()
                .filter(topic -> !topic.equals(variant.bridge().deadLetterTopic()))
                .toList();
        Set<String> used = new HashSet<>(load.topics());
        for (String topic : used) {
            if (!variant.topics().containsKey(topic)) {
                unknown("load.topics", topic, topics);
            }
        }
        // The only topic may be for dead letters, which the bridge's checks cover.
        if (load.topics().isEmpty() && variant.bridge().deadLetterTopic().isEmpty()) {
            spot.wrong("load.topics", "is empty; name at least one topic");
        }
        if (load.workload() == LoadSpec.Workload.STREAM) {
            Map.of("from", load.stream().from(), "to", load.stream().to()).forEach((end, topic) -> {
                if (!topic.isEmpty() && !variant.topics().containsKey(topic)) {
                    unknown("load." + end, topic, variant.topics().keySet());
                }
            });
        }
        new EngineChecks(spot, load, variant).check();
    }

    private void unknown(String path, String topic, Collection<String> topics) {
        spot.wrong(path, "there is no topic '" + topic + "'" + NearestWord.hint(topic, topics));
    }

    private void embedded(ClusterSpec cluster) {
        int brokers = cluster.brokers().size();
        if (spot.tree().section("cluster").items("brokers").size() > MOST_BROKERS) {
            spot.wrong("cluster.brokers", "must be between 1 and " + MOST_BROKERS + " for a cluster that Weir starts");
        }
        if (Releases.compare(cluster.kafka(), Releases.OLDEST) < 0 || Releases.compare(cluster.kafka(), "5.0.0") >= 0) {
            spot.wrong(
                    "cluster.kafka",
                    "'" + cluster.kafka() + "' is not supported; write a release from " + Releases.OLDEST + " to 4.x");
        }
        ClusterSpec.split(cluster.data()).ifPresent(why -> spot.wrong("cluster.data", why));
        for (int i = 0; i < brokers; i++) {
            String path = "cluster.brokers[" + i + "].data";
            ClusterSpec.split(cluster.brokers().get(i).data()).ifPresent(why -> spot.wrong(path, why));
        }
        long memory = cluster.within().memory().bytes();
        if (memory > 0 && memory <= cluster.heap().bytes()) {
            spot.wrong(
                    "cluster.within.memory",
                    "is too small for a heap of " + (cluster.heap().bytes() >> 20) + " MiB: the kernel would kill the"
                            + " broker; raise this limit, or lower cluster.heap");
        }
        variant.topics().forEach((name, topic) -> {
            if (topic.replication() > brokers) {
                spot.wrong(
                        "topics." + name + ".replication",
                        "must be at most the number of brokers, found '" + topic.replication() + "' on " + brokers
                                + (brokers == 1 ? " broker" : " brokers"));
            }
            topic.brokers().stream()
                    .filter(broker -> broker < 1 || broker > brokers)
                    .findFirst()
                    .ifPresent(broker -> spot.wrong(
                            "topics." + name + ".brokers",
                            "there is no broker " + broker + "; "
                                    + (brokers == 1 ? "the only broker is 1" : "the brokers are 1 to " + brokers)));
        });
    }

    private void held(String name, TopicSpec topic) {
        int brokers = topic.brokers().size();
        String path = "topics." + name + ".brokers";
        if (brokers == 0 || topic.existing()) {
            return;
        }
        if (Set.copyOf(topic.brokers()).size() < brokers) {
            spot.wrong(path, "names a broker twice; remove one of the two");
        } else if (topic.replication() > brokers) {
            spot.wrong(
                    path,
                    "has " + brokers + (brokers == 1 ? " broker" : " brokers") + " for " + topic.replication() + ""
                            + " replicas of each partition; add brokers, or write replication: " + brokers);
        }
    }

    private void disturbance(String path, DisturbanceSpec disturbance) {
        Duration length = Demand.length(variant);
        if (!length.isZero() && disturbance.at().compareTo(length) >= 0) {
            spot.wrong(path + ".at", "must be within the measured phase of " + length.toSeconds() + "s");
        }
        ClusterSpec cluster = variant.cluster();
        if (disturbance instanceof DisturbanceSpec.Network network
                && network.delay().isZero()
                && network.jitter().isZero()
                && network.bytesPerSecond().bytes() == 0
                && !network.cut()) {
            spot.wrong(
                    path + ".network",
                    "has no effect without delay, jitter, rate or cut; write one of them, as in delay: 10ms");
        }
        if (disturbance instanceof DisturbanceSpec.Disk disk
                && !disk.full()
                && disk.ioPerSecond().bytes() == 0) {
            spot.wrong(path + ".disk", "has no effect without io or full; write io, as in io: 5MiB/s, or full: true");
        }
        if (cluster.startedByWeir() && disturbance.broker() > cluster.brokers().size()) {
            spot.wrong(
                    path,
                    "there is no broker " + disturbance.broker() + "; the brokers are 1 to "
                            + cluster.brokers().size());
        }
    }

    private void rates() {
        RateSpec rate = variant.load().rate();
        if (!rate.timed() && variant.measure().asLongAsRates()) {
            spot.wrong("measure", "is empty, and this rate has no duration; write measure: 60s");
        }
        if (rate instanceof RateSpec.Ramp r) {
            ramp(r);
        }
        if (rate instanceof RateSpec.Replay r && Files.isReadable(r.file())) {
            try {
                var unused = r.length();
            } catch (IllegalArgumentException e) {
                spot.wrong("load.rate.replay", String.valueOf(e.getMessage()));
            }
        }
        boolean silent = rate.steps().stream().allMatch(step -> step.rate().perSecond() == 0);
        if (silent && !rate.steps().isEmpty()) {
            spot.wrong("load.rate", "has no step above 0; write at least one rate above 0");
        }
        if (variant.warmup() instanceof WarmupSpec.ForAt w
                && !w.rate().closed()
                && !(w.rate() instanceof RateSpec.Fixed)) {
            spot.wrong("warmup.rate", "must be max, a closed loop or one fixed rate");
        }
    }

    private void ramp(RateSpec.Ramp ramp) {
        String from = ramp.from().text();
        if (ramp.from().unit() != ramp.to().unit()) {
            spot.wrong(
                    "load.rate.ramp.to",
                    "must have the same unit as from: " + from + ", found '"
                            + ramp.to().text() + "'");
        } else if (ramp.from().equals(ramp.to())) {
            spot.wrong(
                    "load.rate.ramp.to",
                    "'" + from + "' equals from, so the rate does not change; write rate: " + from);
        }
    }
}

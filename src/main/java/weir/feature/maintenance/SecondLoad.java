package weir.feature.maintenance;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.BridgeSpec;
import weir.plan.ByteSize;
import weir.plan.DisturbanceSpec;
import weir.plan.LoadSpec;
import weir.plan.MeasureSpec;
import weir.plan.NearestWord;
import weir.plan.RecordKeys;
import weir.plan.Setting;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.Verify;
import weir.plan.WarmupSpec;
import weir.plan.check.EngineChecks;
import weir.plan.check.VariantCheck;
import weir.plan.syntax.ProblemSpot;
import weir.run.disturbance.Disturbance;
import weir.run.disturbance.DisturbanceKind;
import weir.run.disturbance.DisturbedTrial;

/** The disturbance {@code load}: a second load of the cluster, in its own processes and on its own topics. */
final class SecondLoad implements DisturbanceKind, VariantCheck {
    private static final String CLIENT_ID = "client.id";

    /**
     * The settings of a second load.
     *
     * @param quota the bytes per second that each broker accepts from all producers together; zero for no limit
     */
    public record Load(Duration at, Duration length, LoadSpec load, ByteSize quota)
            implements DisturbanceSpec.Prepared {
        private static final Set<String> OTHERS = Set.of("load", "bridge", "during");

        /** The topics that the load names, or a topic with the name of the disturbance. */
        @Override
        public List<String> topics(String name) {
            return load.topics().isEmpty() ? List.of(name) : load.topics();
        }

        @Override
        public List<Variant> loads(String name, Variant variant) {
            return List.of(in(variant, name));
        }

        /** The {@code client.id} of all producers, for which a quota applies. */
        String clientId(String name) {
            return load.producers().properties().getOrDefault(CLIENT_ID, name);
        }

        /** The variant with this load in the place of its own. A new topic is like the first topic of its own load. */
        Variant in(Variant variant, String name) {
            TopicSpec first = variant.usedTopics().values().iterator().next();
            TopicSpec like =
                    new TopicSpec(first.partitions(), first.replication(), first.brokers(), 1, false, first.config());
            SortedMap<String, TopicSpec> topics = new TreeMap<>();
            topics(name).forEach(topic -> topics.put(topic, variant.topics().getOrDefault(topic, like)));
            SortedMap<String, Setting> settings = new TreeMap<>(variant.settings());
            settings.keySet().removeIf(path -> OTHERS.contains(path.replaceFirst("\\..*", "")));
            settings.put("load.target", new Setting("load.target", "cluster", "default"));
            String own = "during." + name + ".";
            variant.settingsAt(own + "load").forEach(setting -> {
                String path = setting.path().substring(own.length());
                settings.put(path, new Setting(path, setting.value(), setting.origin()));
            });
            return RecordKeys.with(
                    variant,
                    Map.of(
                            "topics",
                            topics,
                            "bridge",
                            new BridgeSpec.None(),
                            "load",
                            RecordKeys.with(
                                    load,
                                    Map.of(
                                            "topics",
                                            topics(name),
                                            "placed",
                                            variant.load().placed(),
                                            "producer." + CLIENT_ID,
                                            clientId(name))),
                            "before",
                            List.of(),
                            "warmup",
                            new WarmupSpec.None(),
                            "measure",
                            new MeasureSpec.For(length),
                            "verify",
                            Verify.FALSE,
                            "during",
                            Map.of(),
                            "settings",
                            settings));
        }
    }

    @Override
    public Class<? extends DisturbanceSpec> asked() {
        return Load.class;
    }

    @Override
    public void check(ProblemSpot spot, Variant variant) {
        variant.during().forEach((name, what) -> {
            if (what instanceof Load second) {
                check(spot, variant, "during." + name, name, second);
            }
        });
    }

    private static void check(ProblemSpot spot, Variant variant, String path, String name, Load second) {
        if (second.length().isZero()) {
            spot.wrong(path, "requires for, because a second load ends; write for: 60s");
        }
        boolean one = !second.load().rate().timed() && !second.load().rate().ofCapacity();
        if (!one) {
            spot.wrong(
                    path + ".load.rate",
                    "must be one rate, such as max or 10k/s, found '"
                            + second.load().rate().text() + "'");
        }
        if (one && second.load().rate().closed() && !variant.cluster().startedByWeir()) {
            spot.wrong(
                    path + ".load.rate",
                    "must be a rate with a limit on a cluster that Weir did not start, such as 10k/s, found '"
                            + second.load().rate().text() + "'");
        }
        for (String topic : second.load().topics()) {
            if (!variant.topics().containsKey(topic)) {
                spot.wrong(
                        path + ".load.topics",
                        "there is no topic '" + topic + "'"
                                + NearestWord.hint(topic, variant.topics().keySet()));
                return;
            }
        }
        for (String topic : second.topics(name)) {
            if (variant.usedTopics().containsKey(topic)) {
                spot.wrong(
                        path + ".load",
                        "must use other topics than the experiment's own load, found topic '" + topic
                                + "' in both; write load: { topics: [...] } without '" + topic + "'");
                return;
            }
        }
        String refused = one ? EngineChecks.refused(second.in(variant, name)) : "";
        if (!refused.isEmpty()) {
            spot.wrong(path + ".load", refused);
        }
    }

    @Override
    public Disturbance ready(String name, DisturbanceSpec asked, String host, DisturbedTrial trial) {
        Load second = (Load) asked;
        boolean limited = second.quota().bytes() > 0;
        String rate = "second load at rate " + second.load().rate().text();
        String quota = trial.variant().values().getOrDefault("during." + name + ".quota", "");
        SecondLoadRun run = SecondLoadRun.start(name, second, trial);
        return new Disturbance(rate + (limited ? ", quota " + quota : ""), run::begin, "", false, run);
    }
}

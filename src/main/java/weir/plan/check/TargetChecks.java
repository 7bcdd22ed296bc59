package weir.plan.check;

import java.util.Set;
import weir.plan.EnumNames;
import weir.plan.LoadSpec;
import weir.plan.Setting;
import weir.plan.TransactionSpec;
import weir.plan.Variant;
import weir.plan.syntax.ProblemSpot;

/** Checks that a load whose target is null asks for nothing that only brokers have. */
record TargetChecks(ProblemSpot spot, String path, LoadSpec load, Variant variant) {
    private static final Set<LoadSpec.Workload> READING =
            Set.of(LoadSpec.Workload.CONSUME, LoadSpec.Workload.DELIVER, LoadSpec.Workload.STREAM);

    void check() {
        if (load.target() == LoadSpec.Target.CLUSTER) {
            return;
        }
        if (READING.contains(load.workload())) {
            spot.wrong(
                    path + ".workload",
                    "target null keeps nothing that " + EnumNames.of(load.workload())
                            + " could read; write workload: produce, or leave out the target");
        }
        if (!(load.transaction() instanceof TransactionSpec.None)) {
            spot.wrong(path + ".transaction", "target null has no transactions; leave out one of them");
        }
        variant.settings().tailMap("cluster.").values().stream()
                .takeWhile(setting -> setting.path().startsWith("cluster."))
                .filter(setting -> !setting.origin().equals("default"))
                .forEach(setting -> cluster(setting));
        variant.topics().forEach((name, topic) -> {
            if (!topic.config().isEmpty()) {
                spot.wrong(
                        "topics." + name + ".config",
                        "target null keeps no records, so a topic's properties change nothing; leave them out");
            }
        });
        plain(
                path + ".producer.security.protocol",
                load.producers().properties().getOrDefault("security.protocol", "PLAINTEXT"));
    }

    private void cluster(Setting setting) {
        String property = setting.path().substring("cluster.".length());
        if (property.equals("client.security.protocol")) {
            plain(setting.path(), setting.value());
        } else if (!property.startsWith("client.")) {
            spot.wrong(
                    setting.path(),
                    "target null takes the place of the brokers, so this changes nothing; write cluster: null in this"
                            + " variant");
        }
    }

    private void plain(String where, String protocol) {
        if (!protocol.equals("PLAINTEXT")) {
            spot.wrong(where, "target null speaks PLAINTEXT only, not '" + protocol + "'");
        }
    }
}

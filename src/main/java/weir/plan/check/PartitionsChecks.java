package weir.plan.check;

import java.util.List;
import java.util.Map;
import weir.plan.BridgeSpec;
import weir.plan.EnumNames;
import weir.plan.LoadSpec;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.syntax.CheckedSection;
import weir.plan.syntax.Defaults;
import weir.plan.syntax.ExpectationParser;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Tree;

/** Checks that a search for partitions has a rate to carry, and a topic of which it may choose the partitions. */
record PartitionsChecks(Tree.Section top, List<LayeredExperiment.Laid> searched, Findings findings) {
    private static final String PATH = "search.partitions";

    void check() {
        Tree.Section asked = top.section("search").section("partitions");
        CheckedSection part = new CheckedSection(Defaults.fill(top.only(List.of("search")), List.of("search")))
                .part("search")
                .part("partitions");
        if (part.rate("for").perSecond() == 0) {
            wrong(asked, "for", "is no rate that partitions could carry; write one, such as 10M/s or 2GB/s");
        }
        if (part.duration("measure").isZero()) {
            wrong(asked, "measure", "is no time at all");
        }
        searched.forEach(laid -> variant(asked, laid.variant()));
    }

    private void variant(Tree.Section asked, Variant variant) {
        String why = refused(variant);
        if (!why.isEmpty()) {
            wrong(asked, "", "variant '" + variant.name() + "' " + why);
            return;
        }
        for (Tree limit : asked.items("limits")) {
            findings.lacking(
                    limit,
                    PATH + ".limits",
                    ExpectationParser.parse(limit.line()).metric(),
                    variant);
        }
    }

    private static String refused(Variant variant) {
        LoadSpec load = variant.load();
        LoadSpec.Workload workload = load.workload();
        if (workload != LoadSpec.Workload.PRODUCE && workload != LoadSpec.Workload.DELIVER) {
            return "has the workload " + EnumNames.of(workload)
                    + ", and partitions are counted for produce and deliver; write one of them, or another variant in 'of'";
        }
        if (load.target() == LoadSpec.Target.NULL) {
            return "goes to target null, which has no partitions; leave out load.target";
        }
        if (load.producers().engine() == LoadSpec.Engine.HTTP
                || load.consumers().engine() == LoadSpec.Engine.HTTP
                || !(variant.bridge() instanceof BridgeSpec.None)) {
            return "goes over HTTP, whose servers would be what is measured; write engine: client or engine: wire";
        }
        if (!load.backlog().none()) {
            return "has a backlog, and its readers would be behind from the start; leave out load.backlog";
        }
        Map<String, TopicSpec> topics = variant.usedTopics();
        if (topics.size() != 1) {
            return "uses the topics " + String.join(", ", topics.keySet())
                    + ", and partitions are counted for one; name it in load.topics";
        }
        String name = topics.keySet().iterator().next();
        TopicSpec topic = topics.values().iterator().next();
        if (topic.existing()) {
            return "uses the topic '" + name
                    + "' as it is (existing: true), and its partitions cannot be tried in other numbers; leave out existing,"
                    + " and a topic of Weir's own is made beside it";
        }
        return topic.count() == 1
                ? ""
                : "uses " + topic.count() + " topics '" + name
                        + "', and partitions are counted for one; leave out topics." + name + ".count";
    }

    private void wrong(Tree.Section asked, String key, String message) {
        Tree at = asked.entries().getOrDefault(key, asked);
        findings.add(at.origin(), key.isEmpty() ? PATH : PATH + "." + key, message);
    }
}

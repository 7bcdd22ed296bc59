package weir.feature.partitions;

import java.util.List;
import java.util.Map;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.check.LayeredExperiment;
import weir.plan.check.Requirements;
import weir.plan.syntax.ExpectationParser;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Tree;

/** Checks that the number of partitions of each searched variant can be found. */
record PartitionsChecks(Tree.Section top, List<LayeredExperiment.Laid> searched, Findings findings) {
    private static final String PATH = "search.partitions";

    void check() {
        Tree.Section asked = top.section("search").section("partitions");
        if (!asked.has("for")) {
            wrong(asked, "for", "needs a rate, such as for: 10M/s");
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
        String lacks = Requirements.lacking(PATH, "", variant);
        if (!lacks.isEmpty()) {
            return lacks;
        }
        Map<String, TopicSpec> topics = variant.usedTopics();
        if (topics.size() != 1) {
            return "uses the topics " + String.join(", ", topics.keySet())
                    + ", and partitions are counted for one; name it in load.topics";
        }
        String name = topics.keySet().iterator().next();
        TopicSpec topic = topics.values().iterator().next();
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

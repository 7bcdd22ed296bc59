package weir.feature.readers;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import weir.feature.Feature;
import weir.feature.ModelKind;
import weir.judge.trial.JudgedTrial;
import weir.plan.Experiment.ModelSpec;
import weir.plan.LoadSpec;
import weir.plan.Variant;
import weir.plan.syntax.Tree;
import weir.report.Section;
import weir.results.RunResult.ModelResult;

/** Readers that work, join, leave, end or stand still, and the rebalances of their group. */
public final class ReadersFeature implements Feature, ModelKind {
    private static final String READERS = "readers";
    private static final String WORKING = "working-readers";
    private static final String REBALANCES = "rebalances";

    /**
     * The request for the figures of readers.
     *
     * @param working the readers of the variants with work, by the names of the variants
     */
    record ReadersSpec(Map<String, Ability> working) implements ModelSpec {
        ReadersSpec {
            working = Map.copyOf(working);
        }
    }

    /**
     * The ability of the readers of a variant.
     *
     * @param threads of each reader
     * @param ceiling the records per second that all readers can work on
     */
    record Ability(int threads, double ceiling) {}

    @Override
    public List<Class<? extends Record>> forms() {
        return List.of(ConsumersSpec.class);
    }

    @Override
    public List<Part> parts() {
        return List.of(
                new ReaderChangeKind(),
                new ConsumersSearchKind(),
                new Section(147, READERS, "Readers", ReadersSection::page, ReadersSection::brief));
    }

    @Override
    public Map<String, Class<? extends ModelResult>> results() {
        return Map.of(WORKING, ReadersResult.class, REBALANCES, RebalanceResult.class);
    }

    @Override
    public List<ModelSpec> asked(Tree.Section top, List<Variant> variants) {
        Map<String, Ability> working = new TreeMap<>();
        boolean asked = false;
        for (Variant variant : variants) {
            LoadSpec.Consumers readers = variant.load().consumers();
            asked |= readers.group().named() && variant.load().workload() == LoadSpec.Workload.DELIVER;
            if (!readers.work().none()) {
                double ceiling = readers.count() * ConsumersSearchSpec.ability(readers);
                working.put(variant.name(), new Ability(readers.threads().count(), ceiling));
            }
        }
        return asked || !working.isEmpty() ? List.of(new ReadersSpec(working)) : List.of();
    }

    @Override
    public Map<String, List<? extends ModelResult>> fitted(List<ModelSpec> asked, List<JudgedTrial> trials) {
        for (ModelSpec each : asked) {
            if (each instanceof ReadersSpec spec) {
                List<ReadersJudge> measured = trials.stream()
                        .filter(trial -> !trial.result().steps().isEmpty())
                        .map(ReadersJudge::new)
                        .toList();
                return Map.of(
                        WORKING,
                        ReadersJudge.readers(spec.working(), measured),
                        REBALANCES,
                        ReadersJudge.rebalances(measured));
            }
        }
        return Map.of(WORKING, List.of(), REBALANCES, List.of());
    }
}

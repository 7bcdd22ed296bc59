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
import weir.plan.check.LayeredExperiment;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Tree;
import weir.report.Section;
import weir.results.RunResult.ModelResult;

/** Readers that work, join, leave, end or stand still, and the rebalances of their group. */
public final class ReadersFeature implements Feature, ModelKind {
    private static final String READERS = "readers";
    private static final String REBALANCES = "rebalances";

    /**
     * The request for the figures of readers.
     *
     * @param ceilings the records per second that all readers can work on, by the names of variants with work
     */
    record ReadersSpec(Map<String, Double> ceilings) implements ModelSpec {
        ReadersSpec {
            ceilings = Map.copyOf(ceilings);
        }
    }

    @Override
    public List<Class<? extends Record>> forms() {
        return List.of(ConsumersSpec.class);
    }

    @Override
    public List<Part> parts() {
        return List.of(
                new ReaderChangeKind(),
                new Section(147, READERS, "Readers", ReadersSection::page, ReadersSection::brief));
    }

    @Override
    public Map<String, Class<? extends ModelResult>> results() {
        return Map.of(READERS, ReadersResult.class, REBALANCES, RebalanceResult.class);
    }

    @Override
    public void check(LayeredExperiment experiment, boolean whole, Findings findings) {}

    @Override
    public List<ModelSpec> asked(Tree.Section top, List<Variant> variants) {
        Map<String, Double> ceilings = new TreeMap<>();
        boolean asked = false;
        for (Variant variant : variants) {
            LoadSpec.Consumers readers = variant.load().consumers();
            asked |= readers.group().named() && variant.load().workload() == LoadSpec.Workload.DELIVER;
            if (!readers.work().none()) {
                ceilings.put(
                        variant.name(),
                        readers.count() * 1e9 / readers.work().each().toNanos());
            }
        }
        return asked || !ceilings.isEmpty() ? List.of(new ReadersSpec(ceilings)) : List.of();
    }

    @Override
    public Map<String, List<? extends ModelResult>> fitted(List<ModelSpec> asked, List<JudgedTrial> trials) {
        List<JudgedTrial> measured = trials.stream()
                .filter(trial -> !trial.result().steps().isEmpty())
                .toList();
        for (ModelSpec each : asked) {
            if (each instanceof ReadersSpec spec) {
                return Map.of(
                        READERS,
                        ReadersJudge.readers(spec.ceilings(), measured),
                        REBALANCES,
                        ReadersJudge.rebalances(measured));
            }
        }
        return Map.of(READERS, List.of(), REBALANCES, List.of());
    }
}

package weir.feature.rehearsal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.feature.Feature;
import weir.feature.ModelKind;
import weir.feature.rehearsal.OperationRun.Step;
import weir.host.ProcessAction;
import weir.judge.trial.JudgedTrial;
import weir.plan.DisturbanceSpec;
import weir.plan.Experiment.ModelSpec;
import weir.plan.Variant;
import weir.plan.check.LayeredExperiment;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Tree;
import weir.report.Section;
import weir.results.RunResult.ModelResult;
import weir.run.disturbance.Disturbance;
import weir.run.disturbance.DisturbanceKind;
import weir.run.disturbance.DisturbedTrial;

/** Maintenance operations on the cluster during a load, and what they do to its clients. */
public final class RehearsalFeature implements Feature, ModelKind {
    /** The request for the parts of operations, in an experiment with operations. */
    record RehearsedSpec() implements ModelSpec {}

    @Override
    public List<Class<? extends Record>> forms() {
        return OperationSpec.FORMS;
    }

    @Override
    public List<Part> parts() {
        List<Part> parts = new ArrayList<>(List.of(
                new OperationCheck(),
                new Section(145, "maintenance", "Maintenance", RehearsalSection::page, RehearsalSection::brief)));
        OperationSpec.FORMS.forEach(form -> parts.add(new OperationKind(form.asSubclass(OperationSpec.class))));
        return parts;
    }

    @Override
    public Map<String, Class<? extends ModelResult>> results() {
        return Map.of("rehearsals", RehearsalResult.class);
    }

    @Override
    public void check(LayeredExperiment experiment, boolean whole, Findings findings) {}

    @Override
    public List<ModelSpec> asked(Tree.Section top, List<Variant> variants) {
        boolean rehearsed = variants.stream()
                .flatMap(variant -> variant.during().values().stream())
                .anyMatch(OperationSpec.class::isInstance);
        return rehearsed ? List.of(new RehearsedSpec()) : List.of();
    }

    @Override
    public Map<String, List<? extends ModelResult>> fitted(List<ModelSpec> asked, List<JudgedTrial> trials) {
        boolean rehearsed = asked.stream().anyMatch(RehearsedSpec.class::isInstance);
        return Map.of("rehearsals", rehearsed ? RehearsalJudge.of(trials) : List.of());
    }

    /** One kind of operation. */
    record OperationKind(Class<? extends OperationSpec> asked) implements DisturbanceKind {
        @Override
        public Disturbance ready(String name, DisturbanceSpec asked, String host, DisturbedTrial trial) {
            OperationSpec what = (OperationSpec) asked;
            if (what instanceof OperationSpec.Observe) {
                return Disturbance.of("observation of the brokers", () -> RestartObservation.start(name, trial));
            }
            return new Disturbance(
                    announced(what),
                    () -> {
                        ClusterChanges changes = new ClusterChanges(trial);
                        List<Step> steps = new OperationSteps(trial, changes).of(what);
                        return new OperationRun(name, trial.lab(), trial.notes(), steps, what.max(), changes::close)
                                .start();
                    },
                    "",
                    true);
        }

        @Override
        public List<String> refused(DisturbanceSpec what, Variant variant, Cluster cluster) {
            return GivenClusterCheck.refused((OperationSpec) what, variant, cluster);
        }

        private static String announced(OperationSpec what) {
            if (what instanceof OperationSpec.Restart restart) {
                return "restart of "
                        + (restart.each() ? "each broker" : "broker " + String.join(", ", restart.brokers()))
                        + (restart.how() == OperationSpec.How.KILL ? ", killed" : ", stopped in order");
            }
            if (what instanceof OperationSpec.Upgrade upgrade) {
                return "upgrade to " + upgrade.to();
            }
            if (what instanceof OperationSpec.Reassign move) {
                return "move of topic " + move.topic() + " to brokers " + move.brokers();
            }
            return what instanceof OperationSpec.Drain drain
                    ? "move of all replicas away from broker " + drain.broker()
                    : "election of preferred leaders";
        }
    }

    /** The steps of each operation. */
    record OperationSteps(DisturbedTrial trial, ClusterChanges changes) {
        private static final String CLUSTER = "cluster";

        List<Step> of(OperationSpec what) {
            if (what instanceof OperationSpec.Restart restart) {
                return brokers(restart).stream()
                        .flatMap(broker -> restart(
                                broker,
                                restart.how() == OperationSpec.How.KILL ? ProcessAction.KILL : ProcessAction.STOP,
                                () -> {}))
                        .toList();
            }
            if (what instanceof OperationSpec.Upgrade upgrade) {
                Stream<Step> nodes = Stream.concat(
                                trial.cluster().controllers().stream(),
                                trial.cluster().brokers().stream().map(Broker::id))
                        .flatMap(node -> restart(
                                node, ProcessAction.STOP, () -> trial.cluster().install(upgrade.to(), node)));
                Step raise = Step.of(CLUSTER, "finalize", changes::finalizeFeatures);
                return Stream.concat(nodes, Stream.of(raise).filter(last -> upgrade.finalized()))
                        .toList();
            }
            if (what instanceof OperationSpec.Reassign move) {
                List<String> names = trial.topics().names(move.topic());
                return List.of(new Step(
                        "topic " + move.topic(),
                        "move",
                        () -> changes.reassign(
                                names, move.brokers(), move.throttle().bytes()),
                        changes::moving));
            }
            if (what instanceof OperationSpec.Drain drain) {
                return List.of(new Step(
                        "broker " + drain.broker(),
                        "drain",
                        () -> changes.drain(drain.broker(), drain.throttle().bytes()),
                        changes::moving));
            }
            return List.of(new Step(CLUSTER, "elect", changes::electPreferred, changes::otherLeaders));
        }

        private List<Integer> brokers(OperationSpec.Restart restart) {
            return restart.each()
                    ? trial.cluster().brokers().stream().map(Broker::id).toList()
                    : restart.brokers().stream().map(Integer::valueOf).toList();
        }

        private Stream<Step> restart(int node, ProcessAction end, Runnable between) {
            String subject = (trial.cluster().controllers().contains(node) ? "controller " : "broker ") + node;
            return Stream.of(
                    Step.of(subject, "stop", () -> trial.cluster().act(end, node)),
                    Step.of(subject, "start", () -> {
                        between.run();
                        trial.cluster().act(ProcessAction.RESTART, node);
                    }),
                    new Step(subject, "sync", () -> {}, changes::outOfSync));
        }
    }
}

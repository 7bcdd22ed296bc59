package weir.feature.maintenance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import weir.cli.terminal.HumanAmount;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.feature.Feature;
import weir.feature.ModelKind;
import weir.feature.maintenance.OperationRun.Step;
import weir.host.ProcessAction;
import weir.judge.trial.JudgedTrial;
import weir.plan.DisturbanceSpec;
import weir.plan.Experiment.ModelSpec;
import weir.plan.Variant;
import weir.plan.syntax.Tree;
import weir.report.Section;
import weir.results.RunResult.ModelResult;
import weir.run.disturbance.Disturbance;
import weir.run.disturbance.DisturbanceKind;
import weir.run.disturbance.DisturbedTrial;
import weir.run.lab.OtherHosts;

/** Maintenance operations on the cluster during a load, and what they do to its clients. */
public final class MaintenanceFeature implements Feature, ModelKind {
    /** The key in stored results, which older versions wrote. */
    private static final String OPERATIONS = "rehearsals";

    private static final String SECOND_LOADS = "second-loads";

    /** The request for the figures of operations and second loads, in an experiment with one of them. */
    record OperationsSpec() implements ModelSpec {}

    @Override
    public List<Class<? extends Record>> forms() {
        return Stream.concat(OperationSpec.FORMS.stream(), Stream.of(SecondLoad.Load.class))
                .toList();
    }

    @Override
    public List<Part> parts() {
        List<Part> parts = new ArrayList<>(List.of(
                new OperationCheck(),
                new SecondLoad(),
                new Section(146, "second-loads", "Second loads", SecondLoads::page, SecondLoads::brief),
                new Section(145, "maintenance", "Maintenance", OperationSection::page, OperationSection::brief)));
        OperationSpec.FORMS.forEach(form -> parts.add(new OperationKind(form.asSubclass(OperationSpec.class))));
        return parts;
    }

    @Override
    public Map<String, Class<? extends ModelResult>> results() {
        return Map.of(OPERATIONS, OperationResult.class, SECOND_LOADS, SecondLoadResult.class);
    }

    @Override
    public List<ModelSpec> asked(Tree.Section top, List<Variant> variants) {
        boolean operated = variants.stream()
                .flatMap(variant -> variant.during().values().stream())
                .anyMatch(what -> what instanceof OperationSpec || what instanceof SecondLoad.Load);
        return operated ? List.of(new OperationsSpec()) : List.of();
    }

    @Override
    public Map<String, List<? extends ModelResult>> fitted(List<ModelSpec> asked, List<JudgedTrial> trials) {
        List<JudgedTrial> operated = asked.stream().anyMatch(OperationsSpec.class::isInstance) ? trials : List.of();
        return Map.of(OPERATIONS, OperationJudge.of(operated), SECOND_LOADS, SecondLoads.of(operated));
    }

    /** One kind of operation. */
    record OperationKind(Class<? extends OperationSpec> asked) implements DisturbanceKind {
        @Override
        public Disturbance ready(String name, DisturbanceSpec asked, String host, DisturbedTrial trial) {
            OperationSpec what = (OperationSpec) asked;
            if (what instanceof OperationSpec.Observe) {
                return Disturbance.of("observation of the brokers", () -> RestartObservation.start(name, trial));
            }
            return Disturbance.of(announced(what, trial), () -> {
                ClusterChanges changes = new ClusterChanges(trial);
                List<Step> steps = new OperationSteps(name, trial, changes).of(what);
                return new OperationRun(name, trial.lab(), trial.notes(), steps, what.max(), changes::close).start();
            });
        }

        @Override
        public List<String> refused(DisturbanceSpec what, Variant variant, Cluster cluster) {
            return OperationCheck.refused((OperationSpec) what, variant, cluster);
        }

        private static String announced(OperationSpec what, DisturbedTrial trial) {
            int nodes = trial.cluster().brokers().size();
            if (what instanceof OperationSpec.Restart restart) {
                return (restart.how() == OperationSpec.How.KILL ? "kill and restart of " : "controlled restart of ")
                        + (restart.each()
                                ? HumanAmount.count(nodes, "broker")
                                : "broker " + String.join(", ", restart.brokers()));
            }
            if (!what.release().isEmpty()) {
                return (what instanceof OperationSpec.Upgrade ? "upgrade of " : "downgrade of ")
                        + HumanAmount.count(nodes, "broker") + " from " + what.releaseBefore(trial.variant()) + " to "
                        + what.release();
            }
            if (what instanceof OperationSpec.Reassign move) {
                return "move of topic " + move.topic() + " to brokers " + move.brokers();
            }
            if (what instanceof OperationSpec.Add add) {
                return "addition of " + HumanAmount.count(add.brokers(), "broker")
                        + (add.move() == OperationSpec.Move.EVEN ? " and even spread of all replicas" : "");
            }
            return what instanceof OperationSpec.Drain drain
                    ? "move of all replicas away from broker " + drain.broker()
                    : "election of preferred leaders";
        }
    }

    /** The steps of each operation. */
    record OperationSteps(String name, DisturbedTrial trial, ClusterChanges changes) {
        private static final String CLUSTER = "cluster";

        List<Step> of(OperationSpec what) {
            if (what instanceof OperationSpec.Restart restart) {
                List<Integer> brokers = restart.each()
                        ? all()
                        : restart.brokers().stream().map(Integer::valueOf).toList();
                return brokers.stream()
                        .flatMap(broker -> restart(
                                broker,
                                restart.how() == OperationSpec.How.KILL ? ProcessAction.KILL : ProcessAction.STOP,
                                () -> {}))
                        .toList();
            }
            if (what instanceof OperationSpec.Upgrade upgrade) {
                Stream<Step> nodes = installs(trial.cluster().controllers(), all(), upgrade.to());
                Step raise = Step.of(CLUSTER, "finalize", changes::finalizeFeatures);
                return Stream.concat(nodes, Stream.of(raise).filter(last -> upgrade.finalized()))
                        .toList();
            }
            if (what instanceof OperationSpec.Downgrade downgrade) {
                // Brokers never run a later release than the controllers.
                return installs(all(), trial.cluster().controllers(), downgrade.to())
                        .toList();
            }
            if (what instanceof OperationSpec.Reassign move) {
                List<String> names = trial.topics().names(move.topic());
                return List.of(move(
                        "topic " + move.topic(),
                        "move",
                        () -> changes.reassign(
                                names, move.brokers(), move.throttle().bytes())));
            }
            if (what instanceof OperationSpec.Drain drain) {
                return List.of(move(
                        "broker " + drain.broker(),
                        "drain",
                        () -> changes.drain(drain.broker(), drain.throttle().bytes())));
            }
            if (what instanceof OperationSpec.Add add) {
                Stream<Step> starts = IntStream.rangeClosed(1, add.brokers())
                        .mapToObj(more ->
                                start(trial.cluster().brokers().size() + more, add.releaseBefore(trial.variant())));
                Step move = move(
                        CLUSTER, "move", () -> changes.spread(add.throttle().bytes()));
                return Stream.concat(starts, Stream.of(move).filter(last -> add.move() == OperationSpec.Move.EVEN))
                        .toList();
            }
            return List.of(new Step(CLUSTER, "elect", changes::electPreferred, changes::otherLeaders, () -> {}));
        }

        private Stream<Step> installs(List<Integer> first, List<Integer> then, String release) {
            return Stream.concat(first.stream(), then.stream())
                    .flatMap(node -> restart(
                            node, ProcessAction.STOP, () -> trial.cluster().install(release, node)));
        }

        private Step start(int broker, String release) {
            return Step.of("broker " + broker, OperationMark.START, () -> {
                if (!release.equals(trial.variant().cluster().kafka())) {
                    trial.cluster().install(release, broker);
                }
                trial.cluster().act(ProcessAction.RESTART, broker);
                trial.cluster().brokers().stream()
                        .filter(started -> started.id() == broker)
                        .flatMap(started -> OtherHosts.brokers(trial.cluster(), started.host()).stream())
                        .filter(process -> process.source().equals("broker-" + broker))
                        .forEach(trial.probes()::watch);
            });
        }

        private List<Integer> all() {
            return trial.cluster().brokers().stream().map(Broker::id).toList();
        }

        private Step move(String subject, String what, Runnable act) {
            return new Step(subject, what, act, changes::moving, () -> {
                Map<Integer, Double> moved = changes.movedMib();
                note(
                        subject,
                        OperationMark.MOVED_MIB,
                        moved.values().stream().mapToDouble(each -> each).sum());
                moved.entrySet().stream()
                        .max(Map.Entry.comparingByValue())
                        .ifPresent(most -> note(subject, OperationMark.MOVED_RATE, changes.movedRate(most.getKey())));
            });
        }

        private void note(String subject, String metric, double value) {
            if (!Double.isNaN(value)) {
                trial.notes().reading(OperationMark.source(name, subject), metric, value);
            }
        }

        private Stream<Step> restart(int node, ProcessAction end, Runnable between) {
            boolean controller = trial.cluster().controllers().contains(node);
            String subject = (controller ? "controller " : "broker ") + node;
            Consumer<String> led = metric -> {
                if (!controller) {
                    note(subject, metric, changes.led(node));
                }
            };
            return Stream.of(
                    Step.of(subject, OperationMark.STOP, () -> {
                        led.accept(OperationMark.LED_BEFORE);
                        trial.cluster().act(end, node);
                    }),
                    Step.of(subject, OperationMark.START, () -> {
                        between.run();
                        trial.cluster().act(ProcessAction.RESTART, node);
                    }),
                    new Step(
                            subject,
                            OperationMark.SYNC,
                            () -> {},
                            changes::outOfSync,
                            () -> led.accept(OperationMark.LED_AFTER)));
        }
    }
}

package weir.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import weir.cluster.ClientReferences;
import weir.cluster.Cluster;
import weir.cluster.admin.Topics;
import weir.io.Io;
import weir.measure.LoadListener;
import weir.plan.DisturbanceSpec;
import weir.plan.Experiment;
import weir.plan.GroupSpec;
import weir.plan.LoadSpec;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.property.ResolvedSecrets;
import weir.plan.trial.Trial;
import weir.run.disturbance.FurtherLoad;
import weir.run.lab.Lab;
import weir.worker.Assignment;
import weir.worker.Bridge;
import weir.worker.BridgeStart;
import weir.worker.GivenBridge;
import weir.worker.Worker;
import weir.worker.WorkerJvm;

/** The maker of a trial's {@link Assignment}. It replaces the plan's topic names by the names on the cluster. */
record AssignmentFactory(Experiment experiment, Trial trial, Cluster cluster, int runTag) {
    /** The maker for another load on the same cluster at the same time. */
    AssignmentFactory beside(Variant other, int otherTag) {
        Trial beside = new Trial(trial.number(), other, trial.repeat(), trial.search());
        return new AssignmentFactory(experiment, beside, cluster, otherTag);
    }

    SortedMap<String, TopicSpec> topics() {
        return variant().usedTopics();
    }

    UnaryOperator<String> naming() {
        return name -> cluster.topicName(namePrefix(), name);
    }

    private String namePrefix() {
        return "weir-" + experiment.name() + "-" + Integer.toHexString(runTag) + "-" + trial.tag();
    }

    WorkerJvm jvm() {
        WorkerJvm jvm = WorkerJvm.of(variant().load(), classPath());
        return experiment.shortened() ? jvm.brief() : jvm;
    }

    List<String> classPath() {
        return variant().cluster().classpath().stream().map(Path::toString).toList();
    }

    Assignment assignment(Topics topics, long originNanos, Bridge bridge) {
        SortedMap<String, List<String>> names = new TreeMap<>();
        topics().keySet().stream()
                .filter(topic -> !topic.equals(variant().bridge().deadLetterTopic()))
                .forEach(topic -> names.put(topic, topics.names(topic)));
        SortedMap<String, String> client = client();
        ClientReferences producer = references(variant().load().producers().properties());
        ClientReferences consumer = references(variant().load().consumers().properties());
        SortedMap<String, String> secrets = new TreeMap<>();
        variant().load().parts().forEach(part -> secrets.putAll(part.secrets()));
        ClientReferences tokens = references(secrets);
        return new Assignment(
                variant(),
                trial.number(),
                0,
                1,
                runTag,
                variant().seed() + trial.number(),
                originNanos,
                client,
                producer.properties(),
                consumer.properties(),
                names,
                bridge.urls(),
                receiving(topics, bridge),
                tokens.properties(),
                group(),
                experiment.folder().toString(),
                cuts(),
                secrets(producer, consumer, tokens));
    }

    Map<String, DisturbanceSpec> disturbances() {
        Map<String, DisturbanceSpec> all = new TreeMap<>(variant().during());
        experiment.variants().forEach(other -> other.during().forEach(all::putIfAbsent));
        return all;
    }

    private List<Duration> cuts() {
        return disturbances().values().stream()
                .flatMap(one -> one.length().isZero()
                        ? Stream.of(one.at())
                        : Stream.of(one.at(), one.at().plus(one.length())))
                .toList();
    }

    private Assignment.Receiving receiving(Topics topics, Bridge bridge) {
        return variant().receivesOutsideKafka()
                ? new Assignment.Receiving(
                        bridge.receiver().isEmpty() ? variant().load().listen() : bridge.receiver(),
                        bridge.holders(),
                        !variant().bridge().kept(),
                        !variant().bridge().url().isEmpty(),
                        deadLetterTopic(topics))
                : Assignment.Receiving.NONE;
    }

    BridgeStart bridge(Topics topics, long originNanos, Path folder, LoadListener listener) {
        return new BridgeStart(
                variant(),
                own -> {
                    SortedMap<String, String> all = client();
                    all.putAll(references(own).properties());
                    return all;
                },
                topic -> topics.names(topic).get(0),
                namePrefix(),
                classPath(),
                originNanos,
                secrets(variant().bridge().clients().values().stream()
                        .map(this::references)
                        .toArray(ClientReferences[]::new)),
                folder,
                listener);
    }

    private String deadLetterTopic(Topics topics) {
        String topic = variant().bridge().deadLetterTopic();
        return topic.isEmpty() ? "" : topics.names(topic).get(0);
    }

    private SortedMap<String, String> client() {
        SortedMap<String, String> client =
                new TreeMap<>(ClientReferences.of(variant().cluster().client()).properties());
        client.putAll(cluster.loadProperties());
        return client;
    }

    private ClientReferences references(SortedMap<String, String> own) {
        return ClientReferences.of(own, variant().cluster().client());
    }

    private ResolvedSecrets secrets(ClientReferences... own) {
        return Stream.of(own)
                .map(ClientReferences::secrets)
                .reduce(ClientReferences.of(variant().cluster().client()).secrets(), ResolvedSecrets::plus);
    }

    private Variant variant() {
        return trial.variant();
    }

    /** True if the user chose the transactional ids, so that a producer takes over open transactions. */
    boolean idsChosen() {
        return variant().load().producers().properties().containsKey("transactional.id");
    }

    String ids() {
        return (group().startsWith("weir-") ? group() : "weir-" + group()) + "-";
    }

    String idsOfAnyRun() {
        return "weir-" + experiment.name() + "-";
    }

    boolean shares() {
        return topics().values().stream().anyMatch(TopicSpec::existing);
    }

    List<String> strayGroups() {
        if (cluster.startedByWeir()) {
            return List.of();
        }
        List<String> ofBridge = variant().bridge().groups();
        if (!ofBridge.isEmpty()) {
            return ofBridge.stream().map(group -> namePrefix() + group).toList();
        }
        GroupSpec named = variant().load().consumers().group();
        boolean joined = named.named() || variant().load().workload() == LoadSpec.Workload.STREAM;
        return named.existing() || !joined ? List.of() : List.of(group());
    }

    String group() {
        GroupSpec named = variant().load().consumers().group();
        if (!named.named()) {
            boolean needed = variant().load().workload() == LoadSpec.Workload.STREAM
                    || !variant().load().transaction().none();
            return needed ? namePrefix() : "";
        }
        return named.existing() ? named.name() : namePrefix() + "-" + named.name();
    }

    /** A starter of loads beside the load of a trial. The messages and topics of each load have a tag of their own. */
    record FurtherLoads(AssignmentFactory trial, Lab lab, Path folder, long originNanos, TrialRun.CleanUp cleanUp)
            implements FurtherLoad.Starter {
        @Override
        public FurtherLoad start(String name, Variant variant, LoadListener listener) {
            AssignmentFactory own = trial.beside(variant, new SecureRandom().nextInt());
            Topics topics = lab.topics(own.cluster(), own.naming());
            Lab.Activity end = () -> {
                try (topics) {
                    if (!own.cluster().gone()) {
                        cleanUp.step(topics::delete);
                    }
                }
            };
            try {
                topics.create(own.topics());
                Path logs = folder.resolve("load-" + name);
                Io.attempt("making " + logs, () -> Files.createDirectories(logs));
                Worker worker = lab.worker(
                        variant.load().placed(),
                        own.jvm(),
                        variant.load().processes(),
                        logs,
                        TrialRun.longest(variant),
                        listener);
                Lab.Activity processes = worker::close;
                end = processes.andThen(end);
                worker.prepare(own.assignment(topics, originNanos, new GivenBridge(List.of())));
                return new FurtherLoad(worker, end);
            } catch (RuntimeException e) {
                Lab.Activity begun = end;
                try (begun) {
                    throw e;
                }
            }
        }
    }
}

package weir.feature.delivery;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import weir.feature.delivery.EventProcessSettings.EventProcessAssignment;
import weir.feature.delivery.PathSpec.DeliveryPath;
import weir.feature.http.GatewayAssignment.SinkAssignment;
import weir.host.Ports;
import weir.host.ProcessAction;
import weir.plan.DisturbanceSpec;
import weir.plan.Limits;
import weir.probe.WatchedProcess;
import weir.worker.Bridge;
import weir.worker.BridgeDeath;
import weir.worker.BridgeStart;
import weir.worker.ServerAssignment;
import weir.worker.ServerProcess;
import weir.worker.ServerSite;
import weir.worker.WorkerJvm;

/** The processes of Weir on the path of events in one trial, all on this machine. */
final class LocalEventProcesses implements Bridge {
    private static final String LOOPBACK = "127.0.0.1";

    private final PathSpec asked;
    private final BridgeStart trial;
    private final ServerSite site;
    private final SortedMap<String, String> producer;
    private final SortedMap<String, String> consumer = new TreeMap<>();
    private final String deadLetters;
    private final Ports ports = new Ports();
    private final String receiver;
    private final SortedMap<String, ServerProcess> processes = new TreeMap<>();

    private final SortedMap<String, ServerProcess> sinks = new TreeMap<>();
    private List<String> front;

    private LocalEventProcesses(PathSpec asked, BridgeStart trial, ServerSite site) {
        this.asked = asked;
        this.trial = trial;
        this.site = site;
        String parked = asked.deadLetterTopic();
        this.deadLetters = parked.isEmpty()
                ? asked.delivery().deadLetterSink()
                : trial.topics().apply(parked);
        boolean writes = asked.path().inKafka() || !parked.isEmpty();
        this.producer = writes ? trial.complete().apply(asked.producer()) : Collections.emptySortedMap();
        if (asked.path().inKafka()) {
            consumer.putAll(trial.complete().apply(asked.consumer()));
            consumer.put("group.id", trial.group() + PathSpec.GROUP);
        }
        String listen = trial.variant().load().listen();
        this.receiver = listen.isEmpty() ? LOOPBACK + ":" + ports.getAsInt() : listen;
        this.front = List.of("http://" + reachable(receiver));
    }

    static LocalEventProcesses start(PathSpec asked, BridgeStart trial, ServerSite site) {
        LocalEventProcesses all = new LocalEventProcesses(asked, trial, site);
        try {
            all.start();
            return all;
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
    }

    private void start() {
        DeliveryPath path = asked.path();
        if (path == DeliveryPath.DIRECT) {
            return;
        }
        if (path.brokered()) {
            start(EventProcessSettings.Role.FILTER);
        }
        for (int i = 2; i <= asked.subscribers(); i++) {
            sink("subscriber-" + i);
        }
        switch (path) {
            case MEMORY_CHANNEL, MEMORY_BROKER -> start(EventProcessSettings.Role.MEMORY_CHANNEL);
            case KAFKA_CHANNEL, KAFKA_BROKER -> start(EventProcessSettings.Role.KAFKA_CHANNEL);
            case KAFKA_SOURCE -> start(EventProcessSettings.Role.SOURCE);
            case DIRECT -> throw new AssertionError("path direct has no process");
        }
        if (path.brokered()) {
            start(EventProcessSettings.Role.INGRESS);
        }
    }

    private void start(EventProcessSettings.Role role) {
        String name = name(role);
        EventProcessSettings settings = new EventProcessSettings(
                role,
                LOOPBACK,
                ports.getAsInt(),
                front,
                asked,
                producer,
                consumer,
                asked.path().inKafka() ? trial.topics().apply(eventTopic()) : "",
                deadLetters);
        WorkerJvm jvm = WorkerJvm.eventProcess(asked.memory(), producer, trial.classPath(), asked.within());
        ServerProcess process =
                process(new EventProcessAssignment(settings, name, trial.originNanos(), trial.secrets()), jvm, name);
        processes.put(name, process);
        front = List.of(process.url());
    }

    private void sink(String name) {
        WorkerJvm jvm = WorkerJvm.gateway(Collections.emptySortedMap(), List.of(), Limits.NONE);
        ServerProcess process = process(new SinkAssignment(ports.getAsInt()), jvm, name);
        sinks.put(name, process);
        front = new ArrayList<>(front);
        front.add(process.url());
    }

    private ServerProcess process(ServerAssignment task, WorkerJvm jvm, String name) {
        return new ServerProcess(
                task, () -> site.starter().start(jvm, name, trial.folder().resolve(name + ".log")));
    }

    /** The topic for events: the first topic of the load that is not for dead letters. */
    private String eventTopic() {
        return trial.variant().usedTopics().keySet().stream()
                .filter(topic -> !topic.equals(asked.deadLetterTopic()))
                .findFirst()
                .orElseThrow();
    }

    private static String name(EventProcessSettings.Role role) {
        return switch (role) {
            case MEMORY_CHANNEL, KAFKA_CHANNEL -> "channel";
            case INGRESS, FILTER, SOURCE -> role.name().toLowerCase(Locale.ROOT);
        };
    }

    private static String reachable(String address) {
        return address.startsWith("0.0.0.0:") ? LOOPBACK + address.substring(address.indexOf(':')) : address;
    }

    @Override
    public List<String> urls() {
        return asked.path() == DeliveryPath.KAFKA_SOURCE ? List.of() : front;
    }

    @Override
    public String receiver() {
        return receiver;
    }

    /** The processes that store events. Other processes answer after the next process. */
    @Override
    public List<String> holders() {
        return processes.entrySet().stream()
                .filter(process ->
                        process.getKey().equals("channel") || process.getKey().equals("source"))
                .map(process -> process.getValue().url())
                .toList();
    }

    @Override
    public List<WatchedProcess> processes() {
        List<WatchedProcess> all = new ArrayList<>();
        sinks.forEach((name, sink) -> all.add(new WatchedProcess(WatchedProcess.Kind.PROGRAM, name, "", sink.pid())));
        return all;
    }

    @Override
    public SortedMap<String, Long> jvms() {
        SortedMap<String, Long> jvms = new TreeMap<>();
        processes.forEach((name, process) -> jvms.put(name, process.pid()));
        return jvms;
    }

    @Override
    public void limitTimes(long fromNanos, long toNanos) {
        processes.values().forEach(process -> process.span(fromNanos, toNanos));
    }

    @Override
    public void act(ProcessAction action, DisturbanceSpec.Server server) {
        ServerProcess process = processes.get(server.role());
        if (process == null) {
            throw new IllegalArgumentException("path " + asked.path() + " has no " + server.role());
        }
        process.act(action);
    }

    @Override
    public void onDeath(Consumer<BridgeDeath> listener) {
        processes.values().forEach(process -> process.onDeath(listener));
        sinks.values().forEach(sink -> sink.onDeath(listener));
    }

    @Override
    public void close() {
        processes.values().forEach(ServerProcess::close);
        sinks.values().forEach(ServerProcess::close);
    }
}

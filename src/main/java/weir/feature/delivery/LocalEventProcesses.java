package weir.feature.delivery;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import weir.feature.delivery.EventProcessSettings.Role;
import weir.feature.delivery.PathSpec.DeliveryPath;
import weir.feature.http.HttpSink;
import weir.host.ProcessAction;
import weir.plan.DisturbanceSpec;
import weir.probe.WatchedProcess;
import weir.worker.Bridge;
import weir.worker.BridgeDeath;
import weir.worker.BridgeStart;
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
    private final String receiver;
    private final SortedMap<String, ServerProcess> processes = new TreeMap<>();

    private final SortedMap<String, ServerProcess> sinks = new TreeMap<>();
    private final List<String> holders = new ArrayList<>();
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
        this.receiver = listen.isEmpty() ? LOOPBACK + ":" + site.host().freePort() : listen;
        this.front = List.of("http://" + receiver.replaceFirst("^0\\.0\\.0\\.0:", LOOPBACK + ":"));
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

    /** Starts the processes in reverse order, because each needs the URL of the next. */
    private void start() {
        List<Role> roles = new ArrayList<>(asked.path().roles());
        Collections.reverse(roles);
        for (Role role : roles) {
            if (role.stores) {
                startSinks();
            }
            start(role);
        }
    }

    private void startSinks() {
        front = new ArrayList<>(front);
        for (int i = 2; i <= asked.subscribers(); i++) {
            String name = "subscriber-" + i;
            ServerProcess sink = HttpSink.process(site, name, trial.folder());
            sinks.put(name, sink);
            front.add(sink.url());
        }
    }

    private void start(Role role) {
        EventProcessSettings settings = new EventProcessSettings(
                role,
                site.host().freePort(),
                front,
                asked,
                producer,
                consumer,
                asked.path().inKafka() ? trial.topics().apply(eventTopic()) : "",
                deadLetters,
                trial.originNanos(),
                trial.secrets());
        WorkerJvm jvm = WorkerJvm.eventProcess(asked.memory(), producer, trial.classPath(), asked.within());
        ServerProcess process = new ServerProcess(settings, site, jvm, role.process, trial.folder());
        processes.put(role.process, process);
        front = List.of(process.url());
        if (role.stores) {
            holders.add(process.url());
        }
    }

    /** The topic for events: the first topic of the load that is not for dead letters. */
    private String eventTopic() {
        return trial.variant().usedTopics().keySet().stream()
                .filter(topic -> !topic.equals(asked.deadLetterTopic()))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public List<String> urls() {
        return asked.path() == DeliveryPath.KAFKA_SOURCE ? List.of() : front;
    }

    @Override
    public String receiver() {
        return receiver;
    }

    @Override
    public List<String> holders() {
        return holders;
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

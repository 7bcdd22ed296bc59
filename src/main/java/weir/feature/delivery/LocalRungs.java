package weir.feature.delivery;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import weir.host.Children;
import weir.host.Ports;
import weir.host.ProcessAction;
import weir.measure.LoadListener;
import weir.plan.BridgeSpec;
import weir.plan.DisturbanceSpec;
import weir.plan.Limits;
import weir.probe.WatchedProcess;
import weir.worker.Bridge;
import weir.worker.BridgeDeath;
import weir.worker.LocalWorker;
import weir.worker.RungSettings;
import weir.worker.RungsAssignment;
import weir.worker.ServerAssignment;
import weir.worker.ServerProcess;
import weir.worker.WorkerJvm;

/** The processes that events pass in one trial, each started afresh. */
final class LocalRungs implements Bridge {
    private static final String LOOPBACK = "127.0.0.1";

    private final Children children;
    private final RungsAssignment assignment;
    private final Path folder;
    private final LoadListener listener;
    private final Ports ports = new Ports();
    private final String receiver;
    private final SortedMap<String, ServerProcess> rungs = new TreeMap<>();

    private final SortedMap<String, ServerProcess> sinks = new TreeMap<>();
    private List<String> front;

    private LocalRungs(Children children, RungsAssignment assignment, Path folder, LoadListener listener) {
        this.children = children;
        this.assignment = assignment;
        this.folder = folder;
        this.listener = listener;
        this.receiver = assignment.listen().isEmpty() ? LOOPBACK + ":" + ports.getAsInt() : assignment.listen();
        this.front = List.of("http://" + reachable(receiver));
    }

    static LocalRungs start(Children children, RungsAssignment assignment, Path folder, LoadListener listener) {
        LocalRungs all = new LocalRungs(children, assignment, folder, listener);
        try {
            all.start();
            return all;
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
    }

    private void start() {
        BridgeSpec.DeliveryPath path = assignment.asked().path();
        if (path == BridgeSpec.DeliveryPath.DIRECT) {
            return;
        }
        if (path.brokered()) {
            rung(RungSettings.Role.FILTER);
        }
        for (int i = 2; i <= assignment.asked().dispatch().subscribers(); i++) {
            sink("subscriber-" + i);
        }
        switch (path) {
            case MEMORY_CHANNEL, MEMORY_BROKER -> rung(RungSettings.Role.MEMORY_CHANNEL);
            case KAFKA_CHANNEL, KAFKA_BROKER -> rung(RungSettings.Role.KAFKA_CHANNEL);
            case KAFKA_SOURCE -> rung(RungSettings.Role.SOURCE);
            case DIRECT -> throw new AssertionError("nothing is on a direct way");
        }
        if (path.brokered()) {
            rung(RungSettings.Role.INGRESS);
        }
    }

    private void rung(RungSettings.Role role) {
        String name = name(role);
        RungSettings settings = new RungSettings(
                role,
                LOOPBACK,
                ports.getAsInt(),
                front,
                assignment.asked().dispatch(),
                assignment.producer(),
                assignment.consumer(),
                assignment.asked().path().inKafka() ? assignment.topic() : "",
                assignment.deadLetters());
        WorkerJvm jvm = WorkerJvm.rung(
                assignment.asked().dispatch().memory(),
                assignment.producer(),
                assignment.classPath(),
                assignment.asked().within());
        ServerProcess process = process(
                new ServerAssignment.Rung(settings, name, assignment.originNanos(), assignment.secrets()), jvm, name);
        rungs.put(name, process);
        front = List.of(url(process));
    }

    private void sink(String name) {
        WorkerJvm jvm = WorkerJvm.gateway(Collections.emptySortedMap(), List.of(), Limits.NONE);
        ServerProcess process = process(new ServerAssignment.Sink(ports.getAsInt()), jvm, name);
        sinks.put(name, process);
        front = new ArrayList<>(front);
        front.add(url(process));
    }

    private ServerProcess process(ServerAssignment task, WorkerJvm jvm, String name) {
        return new ServerProcess(
                task, () -> LocalWorker.start(children, jvm, name, folder.resolve(name + ".log"), listener));
    }

    private static String name(RungSettings.Role role) {
        return switch (role) {
            case MEMORY_CHANNEL, KAFKA_CHANNEL -> "channel";
            case INGRESS, FILTER, SOURCE -> role.name().toLowerCase(Locale.ROOT);
        };
    }

    private static String reachable(String address) {
        return address.startsWith("0.0.0.0:") ? LOOPBACK + address.substring(address.indexOf(':')) : address;
    }

    private static String url(ServerProcess process) {
        return process.url();
    }

    @Override
    public List<String> urls() {
        return assignment.asked().path() == BridgeSpec.DeliveryPath.KAFKA_SOURCE ? List.of() : front;
    }

    @Override
    public String receiver() {
        return receiver;
    }

    /** Only these processes keep events; the others answer when the next one has answered. */
    @Override
    public List<String> holders() {
        return rungs.entrySet().stream()
                .filter(rung -> rung.getKey().equals("channel") || rung.getKey().equals("source"))
                .map(rung -> url(rung.getValue()))
                .toList();
    }

    @Override
    public List<WatchedProcess> processes() {
        return sinks.entrySet().stream()
                .map(sink -> new WatchedProcess(
                        WatchedProcess.Kind.PROGRAM,
                        sink.getKey(),
                        "",
                        sink.getValue().pid()))
                .toList();
    }

    @Override
    public SortedMap<String, Long> jvms() {
        SortedMap<String, Long> jvms = new TreeMap<>();
        rungs.forEach((name, process) -> jvms.put(name, process.pid()));
        return jvms;
    }

    @Override
    public List<String> told() {
        return List.copyOf(rungs.keySet());
    }

    @Override
    public void tells(long fromNanos, long toNanos) {
        rungs.values().forEach(rung -> rung.span(fromNanos, toNanos));
    }

    @Override
    public void act(ProcessAction action, DisturbanceSpec.Server server) {
        ServerProcess rung = rungs.get(server.role().name().toLowerCase(Locale.ROOT));
        if (rung == null) {
            throw new IllegalArgumentException("there is no " + server.role() + " on the way of "
                    + assignment.asked().path());
        }
        rung.act(action);
    }

    @Override
    public void onDeath(Consumer<BridgeDeath> hears) {
        rungs.values().forEach(rung -> rung.onDeath(hears));
        sinks.values().forEach(sink -> sink.onDeath(hears));
    }

    @Override
    public void close() {
        rungs.values().forEach(ServerProcess::close);
        sinks.values().forEach(ServerProcess::close);
    }
}

package weir.run.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.FaultInjection;
import weir.cluster.admin.Coordinators;
import weir.cluster.admin.LeftoverResources;
import weir.cluster.admin.PlanValidation;
import weir.cluster.admin.Topics;
import weir.cluster.admin.TrialTopics;
import weir.cluster.relay.Relays;
import weir.cluster.release.Release;
import weir.cluster.start.NullCluster;
import weir.cluster.start.StartOptions;
import weir.feature.Features;
import weir.host.Children;
import weir.host.FreeDiskSpace;
import weir.host.Host;
import weir.host.HostUnavailable;
import weir.host.Journal;
import weir.host.LocalHost;
import weir.host.MachineResources;
import weir.measure.Canary;
import weir.measure.LoadListener;
import weir.measure.Reading;
import weir.plan.ClusterSpec;
import weir.plan.PlacedSpec;
import weir.plan.RecordKeys;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.probe.BrokerFigure.MessagesIn;
import weir.probe.CanaryBenchmarks;
import weir.probe.Probes;
import weir.probe.Sampler;
import weir.probe.WatchedProcess;
import weir.results.value.HostFacts;
import weir.run.lab.OtherHosts.HostStarter;
import weir.time.DaemonThreads;
import weir.time.MachineClock;
import weir.worker.Bridge;
import weir.worker.BridgeStart;
import weir.worker.Fleet;
import weir.worker.MessageTransport;
import weir.worker.ServerSite;
import weir.worker.WarmWorker;
import weir.worker.Worker;
import weir.worker.WorkerJvm;

/** The lab of a real run. Brokers and workers are child processes. The clock is the clock of this machine. */
public final class ProcessLab implements Lab {
    private static final long SECOND_MILLIS = 1_000;

    private final Path state;
    private final Journal journal;
    private final Children children;
    private final LocalHost here;
    private final WarmWorker standby;
    private final @Nullable OtherHosts hosts;
    private final Consumer<String> notes;

    /** The threads wait for brokers, one thread for each broker at a time. */
    private final ScheduledExecutorService timer =
            Executors.newScheduledThreadPool(8, DaemonThreads.named("weir-timeline"));

    private ProcessLab(Path state, Journal journal, Children children, HostStarter pods, Consumer<String> notes) {
        this.state = state;
        this.journal = journal;
        this.children = children;
        this.here = new LocalHost(children);
        this.standby = new WarmWorker(children);
        this.hosts = Features.each(OtherHosts.Maker.class).stream()
                .map(maker -> maker.make(children, MachineClock.STEADY, pods, notes))
                .findFirst()
                .orElse(null);
        this.notes = notes;
    }

    /** Opens the lab, after a clean-up of killed runs. */
    public static Lab open(Consumer<String> notes) {
        return open(Journal.state(), HostStarter.NONE, notes);
    }

    public static Lab open(HostStarter pods, Consumer<String> notes) {
        return open(Journal.state(), pods, notes);
    }

    static Lab open(Path state, HostStarter pods, Consumer<String> notes) {
        Journal.clearAll(state).forEach(notes);
        Journal journal = Journal.open(state);
        try {
            Children children = Children.open(journal);
            children.caveats().forEach(notes);
            return new ProcessLab(state, journal, children, pods, notes);
        } catch (RuntimeException e) {
            journal.close();
            throw e;
        }
    }

    @Override
    public long nanos() {
        return MachineClock.STEADY.getAsLong();
    }

    @Override
    public Instant wall() {
        return MachineClock.WALL.instant();
    }

    @Override
    public Activity everySecond(Runnable look) {
        Thread thread = DaemonThreads.of("weir-guard", () -> {
            try {
                while (true) {
                    Thread.sleep(SECOND_MILLIS);
                    look.run();
                }
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        return () -> {
            thread.interrupt();
            DaemonThreads.join(thread, 0);
        };
    }

    @Override
    public Activity at(long nanos, Runnable act) {
        Future<?> due = timer.schedule(act, Math.max(0, nanos - MachineClock.STEADY.getAsLong()), TimeUnit.NANOSECONDS);
        return () -> due.cancel(false);
    }

    @Override
    public Journal journal() {
        return journal;
    }

    @Override
    public void fetch(String release) {
        Release.remarks(release).forEach(notes);
        var unused = Release.fetch(release, notes::accept);
    }

    @Override
    public Cluster cluster(ClusterSpec spec, FaultInjection faults, Path logs) {
        Cluster cluster = options(spec.placed(), faults).open(spec, children, logs, notes::accept);
        if (!(spec.placed() instanceof PlacedSpec.Hosts)) {
            leftBefore(cluster);
        }
        return cluster;
    }

    private StartOptions options(PlacedSpec placed, FaultInjection faults) {
        StartOptions plain =
                RecordKeys.with(StartOptions.plain(), Map.of("releases", faults.releases(), "spares", faults.spares()));
        if (placed instanceof PlacedSpec.Hosts elsewhere) {
            return plain.at((number, here) -> hosts().host(elsewhere.of(number)));
        }
        StartOptions own = RecordKeys.with(plain, Map.of("disks", faults.disks()));
        return faults.relays() ? own.relayed(Relays::before) : own;
    }

    private void leftBefore(Cluster cluster) {
        if (!cluster.startedByWeir()) {
            Journal.leftovers(state).stream()
                    .filter(left -> !left.reported())
                    .forEach(left -> Journal.forget(left, LeftoverResources.cleared(cluster, left.resources())));
        }
        Journal.unreported(state).ifPresent(notes);
    }

    @Override
    public Cluster sink(Path logs) {
        return NullCluster.start(children, logs);
    }

    @Override
    public Topics topics(Cluster cluster, UnaryOperator<String> naming) {
        return TrialTopics.on(cluster, naming, journal);
    }

    @Override
    public SortedMap<String, String> refused(Cluster cluster, Map<String, TopicSpec> topics) {
        return PlanValidation.refused(cluster, topics);
    }

    @Override
    public String uncoordinated(Cluster cluster, Coordinators.Kind kind, String key) {
        return Coordinators.missing(cluster, kind, key);
    }

    @Override
    public void connect(PlacedSpec.Hosts placed, String version) {
        hosts().connect(placed, version);
    }

    @Override
    public MachineResources machine(String host) {
        return host(host).resources();
    }

    private OtherHosts hosts() {
        OtherHosts known = hosts;
        if (known == null) {
            throw new HostUnavailable("this build of Weir supports no other hosts");
        }
        return known;
    }

    private Host host(String name) {
        return name.isEmpty() ? here : hosts().host(name);
    }

    @Override
    public String address(PlacedSpec.Hosts placed) {
        return hosts().address(placed);
    }

    @Override
    public Worker worker(
            PlacedSpec placed, WorkerJvm jvm, int processes, Path folder, Duration limit, LoadListener listener) {
        return placed instanceof PlacedSpec.Hosts elsewhere
                ? hosts().start(elsewhere, jvm, processes, folder, limit, listener)
                : Fleet.start(children, jvm, processes, folder, listener);
    }

    @Override
    public List<HostFacts> otherHosts(Variant variant, Cluster cluster) {
        return hosts == null ? List.of() : hosts.facts(variant, cluster);
    }

    @Override
    public Activity sampleOtherHosts(
            Variant variant,
            Cluster cluster,
            long originNanos,
            LoadListener listener,
            BiConsumer<String, String> lost) {
        return hosts == null ? () -> {} : hosts.sample(variant, cluster, originNanos, listener, lost);
    }

    @Override
    public Worker warmWorker(WorkerJvm jvm, Path log, LoadListener listener) {
        return standby.acquire(jvm.forMany(), log, listener);
    }

    @Override
    public boolean warm() {
        return standby.waits();
    }

    @Override
    public void closeWarmWorker() {
        standby.close();
    }

    @Override
    public Bridge bridge(BridgeStart trial, Duration limit) {
        String address =
                trial.variant().load().placed() instanceof PlacedSpec.Hosts elsewhere ? address(elsewhere) : "";
        return Features.bridge(trial.variant().bridge())
                .start(
                        trial,
                        name -> name.isEmpty()
                                ? ServerSite.here(here.at(address), trial.listener())
                                : hosts().host(name).site(limit));
    }

    @Override
    public Bridge nullServer(Path folder) {
        return MessageTransport.known().sink(ServerSite.here(here, LoadListener.NONE), folder);
    }

    /** Does not sample the worker, which samples itself because its heap is readable only from inside. */
    @Override
    public ProbeActivity probes(
            Cluster cluster,
            List<String> metrics,
            Path data,
            long originNanos,
            Consumer<Reading> out,
            BiConsumer<String, String> unseen) {
        List<GivenMetrics.Scraping> scrapes = Features.each(GivenMetrics.class).stream()
                .map(given -> given.start(metrics, cluster.addresses(), originNanos, MachineClock.STEADY, out, unseen))
                .toList();
        Sampler sampler = Sampler.start(originNanos, MachineClock.STEADY, out);
        if (OtherHosts.UNPROBED) {
            return new Sampling(sampler, scrapes, List.of(), data);
        }
        Sampling sampling = new Sampling(sampler, scrapes, cluster.brokers(), data);
        try {
            sampler.watch("host", Probes.host(data));
            OtherHosts.brokers(cluster, "").forEach(sampling::watch);
            cluster.others()
                    .forEach((name, pid) -> sampling.watch(new WatchedProcess(WatchedProcess.Kind.JVM, name, "", pid)));
        } catch (RuntimeException e) {
            sampling.close();
            throw e;
        }
        sampler.watch("conductor", Probes.own());
        return sampling;
    }

    private final class Sampling implements ProbeActivity {
        private final Sampler sampler;
        private final List<GivenMetrics.Scraping> scrapes;
        private final List<Broker> brokers;
        private final Path data;

        Sampling(Sampler sampler, List<GivenMetrics.Scraping> scrapes, List<Broker> brokers, Path data) {
            this.sampler = sampler;
            this.scrapes = List.copyOf(scrapes);
            this.brokers = List.copyOf(brokers);
            this.data = data;
        }

        @Override
        public OptionalLong messagesIn(List<String> topics) {
            if (brokers.isEmpty() || !brokers.stream().allMatch(Broker::here)) {
                return scrapes.stream()
                        .map(each -> each.messagesIn(topics))
                        .filter(OptionalLong::isPresent)
                        .findFirst()
                        .orElse(OptionalLong.empty());
            }
            long sum = 0;
            try {
                for (Broker broker : brokers) {
                    sum += MessagesIn.of(broker.pid(), topics);
                }
            } catch (IOException e) {
                // A JVM without attach has no known count. The same applies to a dead broker, which Weir reports
                // elsewhere.
                return OptionalLong.empty();
            }
            return OptionalLong.of(sum);
        }

        @Override
        public void watch(WatchedProcess process) {
            if (process.host().isEmpty()) {
                sampler.watch(process.source(), process.probes(data));
            } else {
                hosts().host(process.host()).watch(process);
            }
        }

        @Override
        public void close() {
            scrapes.forEach(GivenMetrics.Scraping::close);
            sampler.close();
        }
    }

    @Override
    public List<TrialExtension> companions(TrialExtension.Stage stage) {
        return Features.each(TrialExtension.Maker.class).stream()
                .flatMap(maker -> maker.attach(stage, this::wall).stream())
                .toList();
    }

    @Override
    public ProcessActivity process(String host, String name, Function<Host, ProcessActivity> start) {
        return start.apply(host(host));
    }

    @Override
    public List<Canary> canaries(Path disk) {
        return CanaryBenchmarks.run(disk);
    }

    @Override
    public FreeDiskSpace diskRoom(Path folder) {
        return FreeDiskSpace.behind(folder);
    }

    @Override
    public void close() {
        timer.shutdown();
        if (hosts != null) {
            hosts.close();
        }
        children.close();
        journal.close();
    }
}

package weir.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.io.Io;
import weir.load.Load;
import weir.load.LoadPlan;
import weir.load.client.ClientRefusals;
import weir.load.engine.Engine;
import weir.load.message.Payloads;
import weir.measure.LoadListener;
import weir.measure.PhaseTimes;
import weir.measure.Reading;
import weir.measure.Snapshot;
import weir.plan.Variant;
import weir.plan.property.ResolvedSecrets;
import weir.plan.property.TokenSources;
import weir.probe.Footprint;
import weir.probe.Probe;
import weir.probe.Probes;
import weir.probe.Readings;
import weir.probe.Sampler;
import weir.worker.link.ClockOffset;
import weir.worker.link.Link;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkFrame.Kind;
import weir.worker.link.LinkJson;
import weir.worker.link.SyncedClock;

/** The part of a worker that performs assignments, command by command, and reports results. */
final class AssignmentRunner implements LoadListener {
    private static final Duration POSITIONS = Duration.ofSeconds(60);

    private final Link link;
    private final RedactedOutput log;
    private final SyncedClock clock;
    private @Nullable Load load;
    private @Nullable Sampler sampler;
    private int run;
    private boolean running;
    private Runnable retirement = () -> {};
    private Consumer<LinkMessages.Span> spans = span -> {};

    /**
     * @param log the output for everything except frames
     * @param clock the clock of the run; this class uses no other clock
     */
    AssignmentRunner(Link link, RedactedOutput log, SyncedClock clock) {
        this.link = link;
        this.log = log;
        this.clock = clock;
    }

    void carryOut(LinkFrame frame) {
        try {
            send(LinkFrame.of(Kind.DONE, answer(frame)));
        } catch (RuntimeException | Error e) {
            e.printStackTrace(log.printing());
            send(LinkFrame.of(Kind.FAILED, LinkJson.write(failure(e))));
        }
    }

    /** Returns false if the frame must wait for its turn. Called on another thread than {@link #carryOut}. */
    boolean handle(LinkFrame frame) throws IOException {
        switch (frame.kind()) {
            case STOP -> stop(Integer.parseInt(frame.text()));
            case CLOCK -> clock.set(ClockOffset.read(frame.content()));
            default -> {
                return false;
            }
        }
        return true;
    }

    private synchronized void stop(int number) {
        // A late stop must not end the next phase.
        if (load != null && (number > run || (running && number == run))) {
            load.stop();
        }
    }

    private String answer(LinkFrame frame) {
        return switch (frame.kind()) {
            case PREPARE -> prepare(LinkJson.read(frame.text(), Assignment.class));
            case RUN -> LinkJson.write(run(LinkJson.read(frame.text(), LinkMessages.Run.class)));
            case FINISH_SENDING -> String.valueOf(load().finishSending(deadline(frame)));
            case FINISH_READING -> {
                long unread = load().finishReading(deadline(frame));
                yield LinkJson.write(new LinkMessages.Read(unread, load().positions()));
            }
            case VERIFY -> {
                LinkMessages.Verify verify = LinkJson.read(frame.text(), LinkMessages.Verify.class);
                load().verify(verify.reached(), clock.getAsLong() + verify.nanos());
                yield "";
            }
            case FINISH -> {
                if (sampler != null) {
                    sampler.close();
                }
                send(LinkFrame.of(Kind.LEDGER, load().finish()::write));
                ResolvedSecrets secrets = log.secrets();
                String end = LinkJson.write(new LinkMessages.End(
                        load().engine().properties().stream()
                                .map(secrets::shown)
                                .toList(),
                        jvm(),
                        secrets.shown(load().engine().metrics())));
                load().close();
                yield end;
            }
            case FOOTPRINT ->
                LinkJson.write(Io.attempt(
                        "reading the resources of this worker",
                        () -> Footprint.of(ProcessHandle.current().pid())));
            case SERVE -> {
                clock.steady();
                serve(LinkJson.read(frame.text(), LinkMessages.Serve.class).server());
                yield "";
            }
            case SPAN -> {
                spans.accept(LinkJson.read(frame.text(), LinkMessages.Span.class));
                yield "";
            }
            case RETIRE -> {
                retirement.run();
                retirement = () -> {};
                yield "";
            }
            default -> throw new IllegalArgumentException("a worker accepts no frame of kind " + frame.kind());
        };
    }

    private String prepare(Assignment assignment) {
        log.hide(assignment.secrets());
        // Clients quote their properties in exceptions.
        Stream.of(assignment.client(), assignment.producer(), assignment.consumer(), assignment.tokens())
                .forEach(properties -> log.hide(ResolvedSecrets.named(properties)));
        TokenSources.allow(assignment.client());
        Variant variant = assignment.variant();
        Payloads payloads = Payloads.of(variant.load(), Path.of(assignment.folder()), assignment.seed());
        Engine clients = new Engines(assignment, variant.load(), variant.verify(), clock, this::event).make();
        LoadPlan plan = new LoadPlan(
                variant.load(),
                variant.warmup(),
                variant.measure(),
                variant.during().values(),
                variant.verify(),
                assignment.seed(),
                payloads.meanBytes(),
                assignment.worker(),
                assignment.workers(),
                assignment.runTag(),
                assignment.originNanos(),
                assignment.parts());
        Load prepared = new Load(plan, clients, payloads, clock, this);
        synchronized (this) {
            load = prepared;
        }
        Sampler looking = sampler(assignment.originNanos());
        looking.watch("generator", Probes.own());
        looking.watch("generator", List.of(new ClockProbe(clock)));
        sampler = looking;
        prepared.prepare(POSITIONS);
        // Moves objects of the start to the old generation, so that no later collection copies them during the load.
        System.gc();
        return LinkJson.write(new LinkMessages.Prepared(prepared.notes()));
    }

    private Sampler sampler(long originNanos) {
        return Sampler.inLooks(originNanos, clock, readings -> send(ReadingFrames.of(readings)));
    }

    private void serve(ServerAssignment assignment) {
        log.hide(assignment.secrets());
        for (SortedMap<String, String> client : assignment.clients()) {
            log.hide(ResolvedSecrets.named(client));
            TokenSources.allow(client);
        }
        ServerAssignment.Server server;
        try {
            server = assignment.serve(clock);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
        spans = span -> server.limitTimes(span.fromNanos(), span.toNanos());
        retirement = server::close;
        if (!assignment.source().isEmpty()) {
            Sampler looking = sampler(assignment.originNanos());
            List<Probe> probes = new ArrayList<>(Probes.own());
            probes.add(into -> server.report(into::level));
            looking.watch(assignment.source(), probes);
            retirement = () -> {
                server.close();
                looking.close();
            };
        }
    }

    private PhaseTimes run(LinkMessages.Run asked) {
        clock.steady();
        synchronized (this) {
            run = asked.number();
            running = true;
        }
        try {
            return switch (asked.phase()) {
                case FILL -> load().fill();
                case WARMUP -> load().warmUp(asked.startNanos());
                case MEASURE -> load().measure(asked.startNanos());
            };
        } finally {
            synchronized (this) {
                running = false;
            }
        }
    }

    private long deadline(LinkFrame frame) {
        return clock.getAsLong() + Long.parseLong(frame.text());
    }

    private static SortedMap<String, String> jvm() {
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        SortedMap<String, String> facts = new TreeMap<>();
        facts.put("jvm", runtime.getVmName() + " " + runtime.getVmVersion());
        facts.put("java", System.getProperty("java.version"));
        facts.put("flags", String.join(" ", runtime.getInputArguments()));
        facts.put(
                "collectors",
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .map(GarbageCollectorMXBean::getName)
                        .collect(Collectors.joining(", ")));
        return facts;
    }

    private Load load() {
        if (load == null) {
            throw new IllegalStateException("this worker has no assignment yet");
        }
        return load;
    }

    private LinkMessages.Failure failure(Throwable e) {
        return ClientRefusals.of(e)
                .map(refused -> new LinkMessages.Failure(
                        refused.fenced() ? WorkerFailed.Kind.FENCED : WorkerFailed.Kind.UNFIT,
                        log.shown(String.valueOf(refused.getMessage()))))
                .orElseGet(() -> new LinkMessages.Failure(WorkerFailed.Kind.FAULT, log.shown(ClientRefusals.text(e))));
    }

    @Override
    public void window(Snapshot snapshot) {
        send(LinkFrame.of(Kind.WINDOW, snapshot::write));
    }

    @Override
    public void reading(Reading reading) {
        send(ReadingFrames.of(List.of(reading)));
    }

    @Override
    public void event(String text) {
        send(LinkFrame.of(Kind.EVENT, log.shown(text)));
    }

    private void send(LinkFrame frame) {
        try {
            link.send(frame);
        } catch (IOException e) {
            // The conductor is gone.
            Runtime.getRuntime().halt(0);
        }
    }

    /**
     * The readings of the worker's clock: its largest distance from the run's clock in each second, and the reported
     * jumps. A worker with the run's own clock has no such readings.
     */
    static final class ClockProbe implements Probe {
        static final String ERROR = "clock.error.ms";
        static final String JUMP = "clock.jump.ms";
        private static final double MILLI = 1e6;

        private final SyncedClock clock;
        private long errorNanos;

        ClockProbe(SyncedClock clock) {
            this.clock = clock;
        }

        @Override
        public void sampleFast() {
            errorNanos = Math.max(errorNanos, clock.errorNanos());
        }

        @Override
        public void sample(Readings into) {
            sampleFast();
            report(into, ERROR, errorNanos);
            report(into, JUMP, clock.takeJumpNanos());
            errorNanos = 0;
        }

        private static void report(Readings into, String metric, long nanos) {
            if (nanos > 0) {
                into.level(metric, nanos / MILLI);
            }
        }
    }
}

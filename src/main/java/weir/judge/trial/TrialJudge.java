package weir.judge.trial;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.feature.Features;
import weir.judge.DisturbanceJudge;
import weir.judge.LoadCurve;
import weir.judge.ProbeSeries;
import weir.judge.RateRule;
import weir.judge.StepJudge;
import weir.judge.TrialFiles;
import weir.judge.caveat.TrialCaveats;
import weir.judge.trial.JudgedTrial.EventHops;
import weir.measure.Atomicity;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.measure.Steps;
import weir.plan.LoadSpec;
import weir.results.PlannedTrial;
import weir.results.TrialFolder;
import weir.results.TrialWriter;
import weir.results.value.Event;
import weir.results.value.Event.DisturbedTime;
import weir.results.value.Figures;
import weir.results.value.Figures.LagResult;
import weir.results.value.GeneratorResult;
import weir.results.value.HopResult;
import weir.results.value.LatencyResult;
import weir.results.value.RateKind;
import weir.results.value.StepResult;
import weir.results.value.TrialEnd;
import weir.results.value.TrialResult;
import weir.results.value.TrialResult.DuringResult;

/**
 * The judge of a trial, which uses only the trial's folder. A killed trial has no ledger, so its losses are unknown,
 * and the counts of its steps come from windows.
 */
public final class TrialJudge {
    private static final double SECOND = 1e9;
    private static final double MEBIBYTE = 1 << 20;
    /** The share of time with due messages from which on a phase did not wait for its last message. */
    private static final double WHOLE = 0.99;
    /** The longest time in seconds without a sample of lag. After a longer time, the maximum lag is unknown. */
    private static final double MOST_UNSEEN = 4;

    /** The counts of a trial without a ledger. */
    private static final List<Count> UNCLOSED =
            List.of(Count.DUE, Count.SENT, Count.ACKED, Count.FAILED, Count.RECEIVED);

    /** A line of a worker's log at the end of its load, such as 487 failed: HttpFailure: HTTP 503. */
    private static final Pattern FAILED = Pattern.compile("(\\d{1,18}) failed: (?:HttpFailure: )?(.*)");

    private final TrialFiles files;
    private final PlannedTrial plan;
    private final TrialEnd end;

    public TrialJudge(TrialFolder folder) {
        files = TrialFiles.of(folder);
        plan = files.plan();
        end = files.end();
    }

    /** Recomputes the result and its caveats, even if the folder contains a result. */
    public JudgedTrial judged() {
        TrialEnd.Measured measured = end.measured();
        List<StepResult> steps = new ArrayList<>();
        double seconds = 0;
        for (TrialEnd.Step step : measured.steps()) {
            steps.add(step(step));
            seconds += step.seconds();
        }
        Figures figures = figures(
                files.from(Steps.MEASURE),
                measured.balance(),
                measured.from(),
                measured.to(),
                seconds,
                measured.atomicity());
        TrialFolder.Started started = files.folder().started();
        TrialResult unjudged = new TrialResult(
                started.trial(),
                started.variant(),
                started.repeat(),
                end.startedAt(),
                seconds,
                started.settings(),
                figures,
                DisturbanceJudge.of(files),
                during(),
                generator(figures, seconds, steps),
                new TreeMap<>(),
                new TreeMap<>(),
                List.of(),
                steps,
                CatchUpJudge.of(files, figures, seconds),
                reasons(files.folder().events()));
        StepJudge judge = new StepJudge(files.conditions().limits(), files::of, files.series(), plan.reads());
        TrialResult judged = unjudged.with(judge.judged(unjudged));
        CostPerRecord cost = CostPerRecord.of(files.readings(), judged);
        List<HopResult> hops = Features.each(EventHops.class).stream()
                .flatMap(way -> way.apply(files.readings(), judged).stream())
                .toList();
        TrialResult result = judged.with(cost.cpuMicros(), cost.allocatedBytes(), hops);
        return new JudgedTrial(files.folder(), result, TrialCaveats.of(files, result));
    }

    static List<TrialResult.Failure> reasons(List<Event> events) {
        Map<String, Long> counts = new HashMap<>();
        for (Event event : events) {
            Matcher failed = FAILED.matcher(event.text());
            if (failed.matches()) {
                counts.merge(failed.group(2), Long.parseLong(failed.group(1)), Long::sum);
            }
        }
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .map(reason ->
                        new TrialResult.Failure(reason.getKey(), reason.getValue(), FailureLimits.of(reason.getKey())))
                .toList();
    }

    public void spectrum(TrialWriter writer) {
        files.numbers().tailMap(Steps.MEASURE).forEach((step, of) -> {
            for (LatencyKind metric : LatencyKind.values()) {
                writer.spectrum(metric, step, of.latency(metric));
            }
        });
    }

    private StepResult step(TrialEnd.Step step) {
        Figures figures = figures(files.of(step.step()), step.balance(), step.from(), step.to(), step.seconds(), null);
        return new StepResult(
                figures.offeredPerSecond(),
                step.step(),
                step.label(),
                step.from(),
                step.seconds(),
                figures,
                plan.offered() ? drainedAfter(step, figures) : null,
                queueGrowth(step.from(), step.to(), figures),
                achieved(step, figures),
                null);
    }

    private @Nullable Double achieved(TrialEnd.Step step, Figures figures) {
        Double acked = figures.ackedPerSecond();
        return acked == null || step.seconds() <= 0
                ? null
                : (Double)
                        Math.min(acked, files.series().achieved(step.step(), step.to(), plan.reads()) / step.seconds());
    }

    private List<DuringResult> during() {
        TrialEnd.Measured measured = end.measured();
        List<DuringResult> during = new ArrayList<>();
        for (DisturbedTime time : DisturbedTime.of(files.folder().events())) {
            double to = Math.min(measured.to(), time.to());
            double seconds = measured.steps().stream()
                    .mapToDouble(step -> Math.min(to, step.to()) - Math.max(time.from(), step.from()))
                    .filter(some -> some > 0)
                    .sum();
            Numbers due = files.folder().due(time.from() - measured.from(), time.to() - measured.from());
            Figures figures = figures(due, measured.balance(time.name()), time.from(), to, seconds, null);
            if (!figures.nothing()) {
                during.add(new DuringResult(time.name(), figures));
            }
        }
        return during;
    }

    private Figures figures(
            Numbers of,
            @Nullable Balance balance,
            double from,
            double to,
            double seconds,
            @Nullable Atomicity atomicity) {
        Figures figures = counted(calculated(of, balance, seconds, plan, lag(from, to), atomicity), of, from);
        if (figures.nothing()) {
            return figures;
        }
        // A reading covers the second before its time.
        double appended = files.readings().mean("log", "appended.per.s", from + 1, Math.floor(to));
        Figures all = Double.isNaN(appended) ? figures : figures.with(RateKind.APPENDED, appended);
        // The largest clock difference between a sender and a reader; a single worker has one clock.
        double apart = plan.processes() == 1
                ? Double.NaN
                : files.readings().maxOfTwo("generator", "clock.error.ms", Math.floor(from), to);
        return Double.isNaN(apart) ? all : all.e2eWithin(apart);
    }

    /**
     * Calculates counts and latencies of messages due in the steps, and rates of events during the steps. Without a
     * ledger, only the counts of windows are known.
     */
    public static Figures calculated(
            Numbers numbers,
            @Nullable Balance ledger,
            double seconds,
            PlannedTrial plan,
            LagResult lag,
            @Nullable Atomicity atomicity) {
        boolean sends = plan.workload() != LoadSpec.Workload.CONSUME;
        boolean reads = plan.reads() || !sends;
        Map<Count, Long> counts = new EnumMap<>(Count.class);
        if (ledger == null) {
            UNCLOSED.forEach(count -> counts.put(count, numbers.count(count)));
            counts.keySet().removeIf(count -> count == Count.RECEIVED && !reads);
        } else {
            counts.putAll(ledger.counts());
        }
        if ((!sends || numbers.due() == 0)
                && numbers.count(Count.ACKED_DURING) == 0
                && numbers.count(Count.RECEIVED_DURING) == 0) {
            // Without messages, zero counts are omitted. A loss stays, whenever its message was due.
            counts.values().removeIf(count -> count == 0);
            return new Figures(counts, Map.of(), Map.of(), LagResult.NONE, null);
        }
        Map<RateKind, Double> rates = new EnumMap<>(RateKind.class);
        if (seconds > 0) {
            long bytes = numbers.count(Count.BYTES_ACKED_DURING);
            rates.put(
                    RateKind.MEBIBYTES,
                    (bytes > 0 ? bytes : numbers.count(Count.BYTES_RECEIVED_DURING)) / (double) (1 << 20) / seconds);
            if (plan.offered()) {
                rates.put(RateKind.OFFERED, counts.getOrDefault(Count.DUE, 0L) / seconds);
            }
            if (sends) {
                rates.put(RateKind.ACKED, numbers.count(Count.ACKED_DURING) / seconds);
            }
            if (reads) {
                rates.put(RateKind.RECEIVED, numbers.count(Count.RECEIVED_DURING) / seconds);
            }
            if (plan.operates()) {
                rates.put(RateKind.OPERATIONS, numbers.count(Count.OPERATIONS_DURING) / seconds);
            }
        }
        Map<LatencyKind, LatencyResult> latencies = new EnumMap<>(LatencyKind.class);
        Stream.of(Figures.OF_MESSAGES, Figures.OF_STAGES)
                .flatMap(List::stream)
                .forEach(kind -> latencies.put(kind, LatencyResult.of(numbers.latency(kind))));
        if (!numbers.latency(LatencyKind.BOUND).empty()) {
            latencies.put(LatencyKind.SUCCESS, LatencyResult.of(numbers.successes()));
            latencies.put(LatencyKind.FAILURE, LatencyResult.of(numbers.latency(LatencyKind.FAILURE)));
        }
        if (plan.operates()) {
            counts.put(Count.OPERATIONS, numbers.count(Count.OPERATIONS));
            Figures.OF_OPERATIONS.forEach(kind -> latencies.put(kind, LatencyResult.of(numbers.latency(kind))));
        }
        return new Figures(counts, rates, latencies, lag, atomicity);
    }

    /**
     * Corrects the rates of a phase that waits for its last message. The offered rate is the requested rate. The
     * achieved rate counts until the last acknowledgement or arrival.
     */
    private Figures counted(Figures figures, Numbers of, double from) {
        Double offered = figures.offeredPerSecond();
        double seconds = of.endedNanos() / SECOND - from;
        if (offered == null || offered >= plan.countedPerSecond() || seconds <= 0) {
            return figures;
        }
        Figures counted = figures.with(RateKind.OFFERED, plan.countedPerSecond());
        if (figures.ackedPerSecond() != null) {
            counted = counted.with(RateKind.ACKED, of.acked() / seconds)
                    .with(RateKind.MEBIBYTES, of.bytesAcked() / MEBIBYTE / seconds);
        }
        return figures.receivedPerSecond() == null ? counted : counted.with(RateKind.RECEIVED, of.received() / seconds);
    }

    /** Null unless the rate is constant. Null with aborted messages, which count as due forever. */
    private @Nullable Double queueGrowth(double from, double to, Figures figures) {
        Double perSecond = figures.offeredPerSecond();
        if (!plan.even()
                || perSecond == null
                || figures.orZero(Count.DUE) < perSecond * (to - from) * WHOLE
                || figures.ackedPerSecond() == null
                || figures.orZero(Count.ABORTED) > 0) {
            return null;
        }
        return RateRule.growth(
                files.series().queue(from, to, perSecond),
                perSecond,
                files.series().lowestP99(from, to));
    }

    /** Seconds from a step's end to its last answer or arrival; null if an answer is missing or unknown. */
    private @Nullable Double drainedAfter(TrialEnd.Step step, Figures figures) {
        long missing = figures.orZero(Count.UNSENT) + figures.orZero(Count.UNRESOLVED) + figures.orZero(Count.UNREAD);
        long lost = figures.orZero(Count.FAILED) + figures.orZero(Count.LOST);
        if (step.balance() == null || missing + lost > 0 || figures.orZero(Count.DUE) == 0) {
            return null;
        }
        return Math.max(0, files.of(step.step()).endedNanos() / SECOND - step.to());
    }

    private LagResult lag(double from, double to) {
        ProbeSeries readings = files.readings();
        SortedMap<Long, Double> looks = readings.sums("readers", "lag.records", from, to);
        double before = Math.ceil(from) - 1;
        double unseen = 0;
        long counted = Long.MIN_VALUE;
        long acked = 0;
        for (Map.Entry<Long, Double> look : looks.entrySet()) {
            long second = look.getKey();
            unseen = Math.max(unseen, second - before);
            before = second;
            acked += files.series().acked(counted, second + 1);
            counted = second + 1;
            if (plan.redelivers()) {
                // Processes also contain events whose acknowledgement is still on the way to the sender.
                look.setValue(Math.min(look.getValue(), (double) acked));
            }
        }
        // The maximum lag may be in a period without a sample.
        if (looks.isEmpty() || Math.max(unseen, Math.floor(to) - before) > MOST_UNSEEN) {
            return LagResult.NONE;
        }
        double age = readings.max("readers", "lag.seconds", from, to);
        return new LagResult(
                Collections.max(looks.values()).longValue(),
                Objects.requireNonNull(looks.get(looks.lastKey())).longValue(),
                Double.isNaN(age) ? null : age);
    }

    /** Counts the records of the seconds with CPU use, because a backlog was written in another phase. */
    private GeneratorResult generator(Figures all, double seconds, List<StepResult> steps) {
        double records = seconds * Math.max(all.orZero(RateKind.ACKED), all.orZero(RateKind.RECEIVED));
        Double cpuSeconds = end.generator().cpuSeconds();
        // The reading of the process includes up to a second of the warm-up.
        Double inSteps = new CostPerRecord(files.readings(), steps).cpuMicros().get("generator");
        Double whole = cpuSeconds == null || records == 0 ? null : cpuSeconds * SECOND / records;
        GeneratorResult before = files.conditions().generator();
        return new GeneratorResult(
                inSteps == null ? whole : Double.valueOf(inSteps * 1e3),
                end.generator().rssMiB(),
                before.ceilingPerSecond(),
                before.ceilingNote(),
                before.alone(),
                plan.processes());
    }

    /**
     * The work per record of each kind of process, in sustained rising steps, because failures cost work too. Without
     * such steps, in all steps.
     */
    record CostPerRecord(ProbeSeries readings, List<StepResult> steps) {
        private static final List<String> KINDS = Stream.concat(
                        Stream.of("generator", "broker"), ProbeSeries.BRIDGES.stream())
                .toList();

        private static final double MICROS = 1e6;

        CostPerRecord {
            steps = List.copyOf(steps);
        }

        static CostPerRecord of(ProbeSeries readings, TrialResult judged) {
            Set<Integer> sustained = LoadCurve.of(judged.variant(), List.of(judged)).sustained().stream()
                    .map(LoadCurve.Point::step)
                    .collect(Collectors.toSet());
            List<StepResult> steps = judged.steps().stream()
                    .filter(step -> sustained.contains(step.step()))
                    .toList();
            return new CostPerRecord(readings, steps.isEmpty() ? judged.steps() : steps);
        }

        /** Microseconds of CPU by kind of process. */
        SortedMap<String, Double> cpuMicros() {
            return perRecord("cpu.cores", MICROS);
        }

        /** Bytes of heap by kind of process; kinds without readings are missing. */
        SortedMap<String, Double> allocatedBytes() {
            return perRecord("allocated.bytes.per.s", 1);
        }

        private SortedMap<String, Double> perRecord(String metric, double scale) {
            SortedMap<String, Double> all = new TreeMap<>();
            for (String kind : KINDS) {
                double spent = 0;
                double acked = 0;
                double received = 0;
                for (StepResult step : steps) {
                    double to = Math.floor(step.to());
                    double perSecond = readings.meanOfSums(kind, metric, step.from(), to);
                    if (!Double.isNaN(perSecond)) {
                        spent += perSecond * step.seconds();
                        acked += step.seconds() * step.figures().orZero(RateKind.ACKED);
                        received += step.seconds() * step.figures().orZero(RateKind.RECEIVED);
                    }
                }
                // A step may ack a record that the next step receives. So the larger sum counts, not the larger figure
                // of each step.
                double records = Math.max(acked, received);
                if (records > 0) {
                    all.put(kind, spent * scale / records);
                }
            }
            return all;
        }
    }

    /** The properties whose limits make operations fail, by the error of the client or broker. */
    static final class FailureLimits {
        private static final List<Row> ROWS = List.of(
                new Row("RecordTooLargeException", "max.request.size", "max.request.size"),
                new Row("RecordTooLargeException", "buffer.memory", "buffer.memory"),
                new Row("RecordTooLargeException", "", "message.max.bytes, or max.message.bytes of the topic"),
                new Row("RecordBatchTooLargeException", "", "segment.bytes"),
                new Row("BufferExhaustedException", "", "buffer.memory, max.block.ms"),
                new Row("TimeoutException", " in metadata after ", "max.block.ms"),
                new Row("TimeoutException", "Expiring ", "delivery.timeout.ms"),
                new Row("NotEnoughReplicas", "", "min.insync.replicas"),
                new Row(
                        "InvalidTimestampException",
                        "",
                        "message.timestamp.before.max.ms, message.timestamp.after.max.ms"),
                new Row("InvalidRecordException", "Compacted topic", "cleanup.policy"),
                new Row("ProducerFencedException", "", "transactional.id"),
                new Row("InvalidProducerEpochException", "", "transactional.id"));

        private record Row(String type, String words, String property) {}

        private FailureLimits() {}

        static String of(String reason) {
            return ROWS.stream()
                    .filter(row -> reason.startsWith(row.type) && reason.contains(row.words))
                    .map(Row::property)
                    .findFirst()
                    .orElse("");
        }
    }
}

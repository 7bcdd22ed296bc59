package weir.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.judge.FailedOperations;
import weir.judge.ProbeSeries;
import weir.judge.caveat.BrokerCount;
import weir.judge.caveat.TrialCaveats;
import weir.measure.Atomicity;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.measure.Median;
import weir.measure.Numbers;
import weir.report.block.Block;
import weir.report.block.Table;
import weir.results.value.Event;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.RateKind;
import weir.results.value.TrialResult;

/** The tables about single trials: rates by each counter, latencies, transactions, the ledger, and events. */
final class TrialTables {
    private static final List<Count> ANSWERS = List.of(Count.ACKED, Count.FAILED, Count.ABORTED, Count.UNRESOLVED);
    private static final List<RateKind> RATES = List.of(RateKind.ACKED, RateKind.APPENDED, RateKind.RECEIVED);
    private static final String ACKED_MEANS = "so acked means ";
    /** The limit of events, because a client without its broker may report it thousands of times. */
    private static final int MOST_EVENTS = 600;

    private TrialTables() {}

    static List<Block> rates(RunView run) {
        if (!appended(run)) {
            return List.of();
        }
        List<String> repeats = new ArrayList<>(run.results().stream()
                .map(TrialResult::repeat)
                .distinct()
                .sorted()
                .map(String::valueOf)
                .toList());
        if (run.repeats()) {
            repeats.add("median");
        }
        Table.Columns<String> table = Table.of(1, repeats).column("repeat", repeat -> repeat);
        for (String variant : run.variants()) {
            table.column(
                    variant,
                    repeat -> rates(run.of(variant).stream()
                            .map(TrialView::result)
                            .filter(trial -> repeat.equals("median") || repeat.equals(String.valueOf(trial.repeat())))
                            .toList()));
        }
        return List.of(
                Block.note("Each row is a repeat, each column is a variant, and each cell is acked/s \u00b7 appended/s"
                        + " \u00b7 received/s. In the measured seconds, acked counts all acknowledgements, and received"
                        + " counts all deliveries, even if a record was due earlier. Appended is the growth of the end"
                        + " offsets. Weir reads these offsets once a second, so appended covers one second less. The"
                        + " section on comparisons has the ratios."),
                table.as("t-rates", "Rates"));
    }

    private static boolean appended(RunView run) {
        return run.results().stream().anyMatch(trial -> trial.figures().rate(RateKind.APPENDED) != null);
    }

    static List<Block> briefRates(RunView run) {
        if (!appended(run)) {
            return List.of();
        }
        return run.variants().stream()
                .<Block>map(variant -> Block.text("acked, appended, received per second, " + variant + ": "
                        + rates(run.of(variant).stream().map(TrialView::result).toList())))
                .toList();
    }

    private static String rates(List<TrialResult> trials) {
        return RATES.stream()
                .map(kind -> Median.of(trials, trial -> trial.figures().rate(kind)))
                .map(NumberFormat::number)
                .collect(Collectors.joining(" \u00b7 "));
    }

    private record Kind(String variant, LatencyKind kind, LatencyResult latency) {
        static Stream<Kind> of(RunView run, String variant) {
            Figures figures = run.median(variant).result().figures();
            return Stream.of(Figures.OF_MESSAGES, Figures.OF_STAGES, Figures.OF_OUTCOMES, Figures.OF_OPERATIONS)
                    .flatMap(Collection::stream)
                    .map(kind -> new Kind(variant, kind, figures.latency(kind)))
                    .filter(one -> one.latency.known());
        }
    }

    static List<Block> parts(RunView run) {
        if (run.trials().isEmpty()) {
            return List.of();
        }
        List<Block> blocks = new ArrayList<>(List.of(latencies(run)));
        blocks.addAll(transactions(run));
        return blocks;
    }

    private static Table latencies(RunView run) {
        return Table.of(
                        2,
                        run.variants().stream()
                                .flatMap(variant -> Kind.of(run, variant))
                                .toList())
                .column("variant", Kind::variant)
                .column("latency", one -> one.kind.word())
                .latencies("", Kind::latency, 50, 90, 99, 99.9, 99.99, 100)
                .column("mean", one -> NumberFormat.mean(one.latency))
                .column("samples", one -> NumberFormat.count(one.latency.samples()))
                .as(
                        "t-latencies",
                        "All latencies over the measured phase; response and late include due records that were"
                                + " never sent"
                                + run.medianTrial());
    }

    /** Shows means, because only means can be added; empty without means. */
    static List<Table> transactions(RunView run) {
        Function<String, Figures> figures =
                variant -> run.median(variant).result().figures();
        List<String> variants = run.variants().stream()
                .filter(variant -> figures.apply(variant).operates()
                        && figures.apply(variant)
                                        .latency(LatencyKind.TRANSACTION)
                                        .count()
                                > 0)
                .toList();
        if (variants.isEmpty()) {
            return List.of();
        }
        Table.Columns<String> table = Table.of(1, variants).column("variant", variant -> variant);
        for (LatencyKind kind : Figures.OF_OPERATIONS) {
            table.column(
                    kind == LatencyKind.TRANSACTION ? "together" : kind.word(),
                    variant -> NumberFormat.millis(
                            figures.apply(variant).latency(kind).mean()));
        }
        return List.of(table.column(
                        "operations/s",
                        variant -> NumberFormat.number(figures.apply(variant).rate(RateKind.OPERATIONS)))
                .as(
                        "t-transactions",
                        "Mean times of the parts of a transaction or an operation. Each transaction ends with a commit"
                                + " or an abort. In a stream, the column together does not include fetch"));
    }

    static List<Block> ledger(RunView run) {
        if (run.trials().isEmpty()) {
            return List.of();
        }
        List<Block.Text> verdicts = new ArrayList<>();
        for (TrialView trial : run.trials()) {
            equation(verdicts, trial);
            atomicity(verdicts, trial);
            counted(verdicts, trial);
        }
        // Only event dispatch has a dead letter sink, and only share groups have deliveries.
        List<Count> counts = Count.LEDGER.stream()
                .filter(count -> (count != Count.PARKED && !Count.OF_SHARE_GROUPS.contains(count))
                        || run.results().stream()
                                .anyMatch(trial -> trial.figures().count(count) != null))
                .toList();
        Table.Columns<Count> table = Table.of(2, counts)
                .column("", Count::word)
                .column("meaning", count -> count == Count.ACKED ? acked(run) : count.meaning(), count -> "muted");
        for (TrialView trial : run.trials()) {
            Figures figures = trial.result().figures();
            table.column(
                    trial.label(),
                    count -> NumberFormat.count(figures.count(count)),
                    count -> figures.orZero(count) == 0 ? "muted" : count.bad() ? "warn" : "");
        }
        List<Block> blocks = new ArrayList<>(List.of(
                Block.list("verdicts", verdicts), table.as("t-ledger", "Records of the measured phase; – is unknown")));
        if (run.results().stream()
                .anyMatch(trial -> !trial.ordered() && trial.figures().orZero(Count.REORDERED) > 0)) {
            blocks.add(Block.note(
                    "Reordered records over HTTP are not an error, because parallel requests have no order."));
        }
        return blocks;
    }

    private static String acked(RunView run) {
        Map<String, List<String>> others = new LinkedHashMap<>();
        for (TrialView trial : run.trials()) {
            for (Event event : trial.events()) {
                int at = event.text().indexOf(ACKED_MEANS);
                if (at >= 0) {
                    others.computeIfAbsent(
                                    event.text().substring(at + ACKED_MEANS.length()), other -> new ArrayList<>())
                            .add(trial.label());
                }
            }
        }
        List<String> meanings = new ArrayList<>();
        others.forEach((other, trials) -> meanings.add(
                other + (trials.size() == run.trials().size() ? "" : " (" + NumberFormat.listed(trials) + ")")));
        if (others.values().stream().mapToInt(List::size).sum() != run.trials().size()) {
            meanings.add(Count.ACKED.meaning() + " by Kafka");
        }
        return String.join(", ", meanings);
    }

    private static Block.Text verdict(String look, TrialView trial, String text) {
        return Block.styled(look).with(Block.Mark.STRONG, trial.label()).with(Block.Mark.PLAIN, text);
    }

    private static void counted(List<Block.Text> verdicts, TrialView trial) {
        boolean differs = trial.caveats().stream().anyMatch(caveat -> caveat.is(TrialCaveats.BROKERS_COUNT_DIFFERS));
        Atomicity found = trial.result().figures().atomicity();
        String markers =
                found != null && found.transactional() ? ";  they include the markers that end transactions" : "";
        for (BrokerCount count : BrokerCount.of(
                ProbeSeries.of(trial.readings()),
                () -> trial.folder().counts().values().stream().reduce(new Numbers(), Numbers::plus))) {
            verdicts.add(verdict(differs ? "bad" : "good", trial, " " + count.text() + markers));
        }
    }

    private static void atomicity(List<Block.Text> verdicts, TrialView trial) {
        Atomicity found = trial.result().figures().atomicity();
        if (found == null || (!found.transactional() && found.offsetsWithoutRecord() == null)) {
            return;
        }
        boolean judged = found.torn() != null;
        verdicts.add(verdict(
                !found.violations().isEmpty() ? "bad" : judged ? "good" : "open",
                trial,
                " transactions committed " + NumberFormat.count(found.transactions()) + ", aborted on purpose "
                        + NumberFormat.count(found.aborted())
                        + ", warm-up and fill included;  aborted reads " + NumberFormat.count(found.abortedReads())
                        + ", torn " + NumberFormat.count(found.torn())
                        + ", offsets without record " + NumberFormat.count(found.offsetsWithoutRecord())
                        + ", records without offset " + NumberFormat.count(found.recordsWithoutOffset())
                        + ", written twice " + NumberFormat.count(found.writtenTwice())
                        + ";  fenced " + NumberFormat.count(found.fenced())
                        + ", timed out " + NumberFormat.count(found.timedOut())
                        + (judged ? "" : "  not judged: readers also read uncommitted records")));
        found.violations().forEach(violation -> verdicts.add(Block.styled("bad", violation)));
    }

    private static void equation(List<Block.Text> verdicts, TrialView trial) {
        Figures f = trial.result().figures();
        @Nullable Long due = f.count(Count.DUE);
        @Nullable Long sent = f.count(Count.SENT);
        @Nullable Long unsent = f.count(Count.UNSENT);
        if (due == null || sent == null || unsent == null) {
            verdicts.add(verdict("open", trial, " has no closed ledger"));
            return;
        }
        long answered = ANSWERS.stream().mapToLong(f::orZero).sum();
        boolean good = due == sent + unsent && sent == answered;
        String reasons = FailedOperations.reasons(trial.result());
        verdicts.add(verdict(
                good ? "good" : "bad",
                trial,
                " due " + NumberFormat.count(due) + " = sent " + NumberFormat.count(sent) + " + unsent "
                        + NumberFormat.count(unsent) + ";  sent = "
                        + ANSWERS.stream()
                                .map(count -> count.word() + " " + NumberFormat.count(f.count(count)))
                                .collect(Collectors.joining(" + "))
                        + (good ? "" : "  does not balance")
                        + (reasons.isEmpty() ? "" : ";  failed with " + reasons)));
    }

    private record TrialEvent(TrialView trial, Event event) {}

    static List<Block> events(RunView run) {
        List<TrialEvent> events = run.trials().stream()
                .flatMap(trial -> trial.events().stream().map(event -> new TrialEvent(trial, event)))
                .limit(MOST_EVENTS)
                .toList();
        String caption = "Phases, steps and events"
                + (events.size() < MOST_EVENTS ? "" : ", the first " + MOST_EVENTS + "; events.csv has all");
        return events.isEmpty()
                ? List.of()
                : List.of(Block.more(
                        caption,
                        Table.of(2, events)
                                .column("trial", one -> one.trial.label())
                                .column("what", one -> one.event.name())
                                .column("at, s", one -> NumberFormat.number(one.event.second()))
                                .column(
                                        "",
                                        one -> one.event.name().equals(Event.STEP)
                                                ? NumberFormat.step(one.event.text())
                                                : one.event.text(),
                                        one -> "text")
                                .as("t-events", caption)));
    }
}

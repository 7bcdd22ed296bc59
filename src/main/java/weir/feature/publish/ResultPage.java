package weir.feature.publish;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.feature.Features;
import weir.feature.SearchKind;
import weir.judge.Capacities;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.plan.property.Property;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.TrialFolder;
import weir.results.value.Conclusion;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.RateKind;
import weir.results.value.SearchResults;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;

/** The page {@code RESULT.md} of a published folder, in the Markdown of code hosts. */
final class ResultPage {
    private static final List<String> MACHINE = List.of(
            "cpu.model",
            "cpu.cores",
            "memory.mib",
            "kernel",
            "os",
            "filesystem",
            "kafka",
            "generator.jvm",
            "java.vm.version");

    private static final List<Property.Source> SHOWN =
            List.of(Property.Source.YOURS, Property.Source.OVERRIDDEN, Property.Source.CLUSTER);

    private final StringBuilder page = new StringBuilder();
    private final RunFolder folder;
    private final RequestedExperiment asked;
    private final RunResult result;

    private ResultPage(RunFolder folder) {
        this.folder = folder;
        asked = folder.asked();
        result = folder.concluded();
    }

    static String of(RunFolder folder) {
        return new ResultPage(folder).text();
    }

    private String text() {
        Conclusion conclusion = result.conclusion();
        page.append("# ").append(safe(asked.name())).append("\n\n");
        paragraph("Question", asked.question());
        paragraph("Answer", conclusion.answer());
        paragraph("Scope", conclusion.scope());
        paragraph(
                "State",
                result.state(asked).word()
                        + (asked.shortened()
                                ? ", short form: it shows that the experiment works, not how fast Kafka is"
                                : ""));
        list("Losses", conclusion.losses());
        list("Details", conclusion.details());
        rates();
        latencies();
        verdicts();
        list(
                "Caveats",
                result.caveats().stream()
                        .map(one -> one.type() + " (" + one.level().name().toLowerCase(Locale.ROOT) + "): "
                                + one.evidence() + ". " + one.advice())
                        .distinct()
                        .toList());
        environment();
        list("Command", List.of(asked.command()));
        page.append(
                "## How to verify\n\nThe folder contains the raw data: a histogram of each second, counts and probes."
                        + " These commands check the files and compute all figures again:\n\n```\nweir verify .\nsha256sum -c "
                        + PublishedFolder.SUMS + "\n```\n\n");
        return page.toString();
    }

    private record Row(String name, Figures figures) {}

    private List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        List<TrialResult> searched = folder.searched().stream()
                .filter(trial -> trial.finished() && trial.started().trial() > 0)
                .map(TrialFolder::result)
                .toList();
        for (TrialResult trial :
                Stream.concat(searched.stream(), result.trials().stream()).toList()) {
            String name = (searched.contains(trial) ? "search, " : "") + trial.variant() + " " + trial.repeat();
            if (trial.steps().size() > 1) {
                for (StepResult step : trial.steps()) {
                    rows.add(new Row(name + ", " + NumberFormat.step(step.label()), step.figures()));
                }
            } else {
                rows.add(new Row(name, trial.figures()));
            }
        }
        return rows;
    }

    private void rates() {
        List<List<String>> cells = rows().stream()
                .map(row -> List.of(
                        row.name(),
                        NumberFormat.rate(row.figures().offeredPerSecond()),
                        NumberFormat.rate(row.figures().ackedPerSecond()),
                        NumberFormat.rate(row.figures().receivedPerSecond()),
                        NumberFormat.rate(row.figures().rate(RateKind.OPERATIONS)),
                        NumberFormat.mebibytes(row.figures().mebibytesPerSecond()),
                        Count.LEDGER.stream()
                                .filter(count -> count.bad() && row.figures().orZero(count) > 0)
                                .map(count -> count.word() + " "
                                        + NumberFormat.count(row.figures().count(count)))
                                .collect(Collectors.joining(", "))))
                .toList();
        table(
                "Rates",
                List.of("trial", "offered", "acked", "received", "operations", "values", "losses and errors"),
                cells);
    }

    private void latencies() {
        List<List<String>> cells = new ArrayList<>();
        for (Row row : rows()) {
            for (Map.Entry<LatencyKind, LatencyResult> one :
                    row.figures().latencies().entrySet()) {
                List<String> line =
                        new ArrayList<>(List.of(row.name(), one.getKey().word()));
                for (double percentile : LatencyResult.PERCENTILES) {
                    line.add(NumberFormat.latency(one.getValue(), percentile));
                }
                line.add(NumberFormat.count(one.getValue().count()));
                cells.add(line);
            }
        }
        table(
                "Latencies",
                List.of("trial", "latency", "p50", "p90", "p99", "p99.9", "p99.99", "max", "samples"),
                cells);
        page.append(cells.isEmpty() ? "" : "A thin percentile has fewer than ten samples above it.\n\n");
    }

    private void verdicts() {
        List<List<String>> cells = new ArrayList<>();
        SearchResults found = result.conclusion().found();
        found.capacities()
                .forEach(one -> cells.add(List.of(
                        "capacity of " + one.of(),
                        NumberFormat.rate(one.rate()) + (one.rate() == null ? "" : " " + Capacities.interval(one)),
                        one.tried().size() + " trials; " + one.reason())));
        Features.each(SearchKind.class)
                .forEach(kind -> kind.figures(found)
                        .forEach(one ->
                                cells.add(List.of(kind.label() + " of " + one.of(), one.written(), one.note()))));
        result.conclusion()
                .breakingPoints()
                .forEach(one -> cells.add(List.of(
                        "breaking point of " + one.of(),
                        NumberFormat.rate(one.rate())
                                + NumberFormat.interval(one.low(), one.high(), NumberFormat::rate),
                        one.reason())));
        result.comparisons()
                .forEach(one -> cells.add(List.of(one.pair() + ", " + one.metric(), one.text(), one.judged())));
        result.overheads()
                .forEach(one -> cells.add(List.of(
                        one.pair() + ", operation " + one.stat(),
                        one.text(),
                        one.writtenA() + " instead of " + one.writtenB())));
        result.expect().forEach(one -> cells.add(List.of(one.text(), one.reason(), one.verdict())));
        table("Verdicts", List.of("of", "figure, 95 % interval", "verdict"), cells);
    }

    private void environment() {
        Machine machine = folder.machine();
        table(
                "Environment",
                List.of("fact", "value"),
                Stream.concat(Stream.of("weir"), MACHINE.stream())
                        .filter(fact -> fact.equals("weir") || machine.facts().containsKey(fact))
                        .map(fact -> List.of(fact, machine.facts().getOrDefault(fact, asked.weir())))
                        .toList());
        List<List<String>> cells = new ArrayList<>();
        machine.properties()
                .forEach((variant, properties) -> properties.stream()
                        .filter(property -> SHOWN.contains(property.source()))
                        .map(property -> List.of(
                                variant,
                                property.of(),
                                property.name(),
                                property.effective(),
                                property.source().name().toLowerCase(Locale.ROOT)))
                        .forEach(cells::add));
        table("Changed properties", List.of("variant", "of", "property", "effective", "source"), cells);
        page.append("All properties, with their effective values, are in `machine.json`.\n\n");
    }

    private void paragraph(String title, String text) {
        page.append(text.isBlank() ? "" : "**" + title + ":** " + safe(text) + "\n\n");
    }

    private void list(String title, List<String> items) {
        if (!items.isEmpty()) {
            page.append("## ").append(title).append("\n\n");
            items.forEach(item -> page.append("- ").append(safe(item)).append('\n'));
            page.append('\n');
        }
    }

    private void table(String title, List<String> head, List<List<String>> rows) {
        if (rows.isEmpty()) {
            return;
        }
        // A column without a value says nothing.
        List<Integer> kept = Stream.iterate(0, i -> i < head.size(), i -> i + 1)
                .filter(i -> rows.stream()
                        .anyMatch(row -> !List.of(NumberFormat.MISSING, "").contains(row.get(i))))
                .toList();
        page.append("## ").append(title).append("\n\n");
        line(kept, head);
        line(kept, head.stream().map(cell -> "---").toList());
        rows.forEach(row -> line(kept, row));
        page.append('\n');
    }

    private void line(List<Integer> kept, List<String> cells) {
        page.append(kept.stream()
                .map(i -> cells.get(i).equals("---") ? "---" : safe(cells.get(i)))
                .collect(Collectors.joining(" | ", "| ", " |\n")));
    }

    /** Returns a text of the user in one line, in which Markdown and HTML show every character as it is. */
    private static String safe(String text) {
        return text.strip().replaceAll("\\s+", " ").replaceAll("[\\\\`*_{}\\[\\]<>#|!~&$]", "\\\\$0");
    }
}

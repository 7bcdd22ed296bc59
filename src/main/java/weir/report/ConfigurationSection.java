package weir.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import weir.measure.Canary;
import weir.plan.Setting;
import weir.plan.property.Property;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.results.CanaryResults;
import weir.results.RequestedExperiment;
import weir.results.value.NumberFormat;

/** Everything that was set, by whom, and the machine it ran on. */
final class ConfigurationSection {
    private ConfigurationSection() {}

    static Html html(RunView run) {
        Html html = new Html();
        html.add(facts(run, fact -> !isLong(fact)));
        Html more = facts(run, ConfigurationSection::isLong);
        html.open("details", "class", "more")
                .element("summary", "More about the machine")
                .add(more)
                .close();
        html.add(canaries(run.folder().canaries()));
        int number = 0;
        List<Property> before = List.of();
        for (Map.Entry<String, List<Property>> entry :
                run.machine().properties().entrySet()) {
            String whose = entry.getKey().isEmpty() ? "" : " of " + entry.getKey();
            List<Property> all = EffectiveProperties.merged(entry.getValue());
            String id = "t-properties-" + number++;
            html.add(properties(EffectiveProperties.set(all))
                    .html(id, "Properties" + whose + " that are not left to Kafka's defaults"));
            // Those of the first variant stand for all that is alike.
            List<Property> known = before;
            List<Property> other =
                    all.stream().filter(property -> !known.contains(property)).toList();
            String which = before.isEmpty() ? "All " + all.size() + " properties" : "Other properties";
            if (!other.isEmpty()) {
                html.open("details", "class", "more");
                html.element("summary", which + whose);
                html.add(properties(other).html(id + "-all", which + whose)).close();
            }
            before = before.isEmpty() ? all : before;
        }
        for (RequestedExperiment.Variant variant : run.asked().variants()) {
            Table table = new Table(3, "setting", "value", "from");
            for (Setting setting : variant.settings()) {
                table.row(setting.path(), setting.value(), setting.origin());
            }
            if (!table.empty()) {
                html.open("details", "class", "more")
                        .element("summary", "The experiment as " + variant.name() + " saw it");
                html.add(table.html("t-settings-" + number++, "Settings of " + variant.name()))
                        .close();
            }
        }
        return html;
    }

    private static boolean isLong(Map.Entry<String, String> fact) {
        return fact.getKey().length() + fact.getValue().length() > 60;
    }

    private static Html facts(RunView run, Predicate<Map.Entry<String, String>> which) {
        Html html = new Html();
        html.open("dl", "class", "facts");
        run.machine().facts().entrySet().stream().filter(which).forEach(fact -> {
            html.open("div")
                    .element("dt", fact.getKey())
                    .element("dd", fact.getValue())
                    .close();
        });
        return html.close();
    }

    private static Html canaries(CanaryResults canaries) {
        Html html = new Html();
        if (canaries.before().isEmpty()) {
            return html.element("p", "No machine baseline was measured before this run.", "class", "note");
        }
        Table table = new Table(1, "machine benchmark", "before", "after", "change", "counts from", "the machine is");
        for (Canary before : canaries.before()) {
            Optional<CanaryResults.Pair> pair = canaries.pairs().stream()
                    .filter(both -> both.before().equals(before))
                    .findFirst();
            List<Table.Cell> cells = new ArrayList<>();
            cells.add(new Table.Cell(before.name(), ""));
            cells.add(new Table.Cell(figure(before), ""));
            cells.add(new Table.Cell(pair.map(both -> figure(both.after())).orElse(NumberFormat.MISSING), ""));
            cells.add(new Table.Cell(
                    pair.map(both -> percent(both.after().median() / before.median() - 1))
                            .orElse(NumberFormat.MISSING),
                    ""));
            cells.add(new Table.Cell(String.format(Locale.ROOT, "%.0f %%", before.least() * 100), ""));
            boolean drifted = pair.map(CanaryResults.Pair::drifted).orElse(false);
            cells.add(new Table.Cell(
                    pair.map(CanaryResults.Pair::verdict).orElse(NumberFormat.MISSING), drifted ? "warn" : ""));
            table.cells(cells);
        }
        return html.add(table.html(
                "t-canaries",
                "Machine benchmarks before the first trial and after the last, with no cluster running:"
                        + " the median of the rounds ± half of that median's 95 % interval"));
    }

    private static String figure(Canary canary) {
        return String.format(
                Locale.ROOT,
                "%s %s ± %.0f %%",
                NumberFormat.number(canary.median()),
                canary.unit(),
                canary.noise() * 100);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%+.0f %%", share * 100);
    }

    private static Table properties(List<Property> properties) {
        Table table = new Table(7, "of", "property", "effective", "requested", "default", "set by", "remark");
        properties.forEach(property -> table.row(EffectiveProperties.cells(property)));
        return table;
    }
}

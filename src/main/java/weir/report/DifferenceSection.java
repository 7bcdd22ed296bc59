package weir.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.results.Difference;
import weir.results.value.NumberFormat;

/** The differences between the variants: by the settings that were asked for, and by the properties that hold. */
final class DifferenceSection {
    private DifferenceSection() {}

    static Html html(RunView run) {
        Html html = new Html();
        List<String> variants = run.variants();
        Map<String, Map<String, String>> settings = new LinkedHashMap<>();
        for (String variant : variants) {
            settings.put(variant, run.median(variant).result().settings());
        }
        Table asked = table(variants, settings);
        if (asked.empty()) {
            html.element("p", "The variants have the same settings: whatever differs between them is noise.");
        } else {
            html.add(asked.html("differences", "Settings that are not the same in all variants"));
        }
        List<Difference> differences = EffectiveProperties.differences(run);
        if (!differences.isEmpty()) {
            List<String> columns = new ArrayList<>(List.of("of", "property"));
            columns.addAll(variants);
            columns.add("set explicitly");
            Table table = new Table(columns.size(), columns);
            for (Difference difference : differences) {
                List<String> cells = new ArrayList<>(List.of(difference.of(), difference.name()));
                cells.addAll(difference.values());
                cells.add(difference.said() ? "yes" : "no");
                table.row(cells);
            }
            html.add(table.html("effective", "Effective properties that differ, and whether the variants say so"));
        }
        return html;
    }

    private static Table table(List<String> variants, Map<String, Map<String, String>> values) {
        Set<String> names = new TreeSet<>();
        values.values().forEach(map -> names.addAll(map.keySet()));
        List<String> columns = new ArrayList<>(List.of("setting"));
        columns.addAll(variants);
        Table table = new Table(columns.size(), columns);
        for (String name : names) {
            List<String> cells = new ArrayList<>(List.of(name));
            Set<String> distinct = new LinkedHashSet<>();
            for (String variant : variants) {
                String value = Objects.requireNonNull(values.get(variant)).getOrDefault(name, NumberFormat.MISSING);
                cells.add(value);
                distinct.add(value);
            }
            if (distinct.size() > 1) {
                table.row(cells);
            }
        }
        return table;
    }
}

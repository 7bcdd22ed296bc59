package weir.probe.scrape;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import weir.probe.BrokerFigure;
import weir.probe.exporter.ExporterName;

/** The samples that are figures of a broker, by the names that exporters give them. */
final class ExportedFigures {
    static final String MEAN = "Mean";

    /**
     * Keys of Kafka's MBeans: a sample that has one of them, where the figure has not, is about a part of a broker only. All other
     * labels are those of whoever collects.
     */
    private static final Set<String> OF_PARTS = Set.of(
            "topic",
            "partition",
            "clientid",
            "request",
            "error",
            "version",
            "listener",
            "networkprocessor",
            "processor",
            "quantile",
            "delayedoperation",
            "name",
            "type",
            "user",
            "acceptor",
            "area",
            "id");

    private final Map<String, List<Wanted>> byName = new HashMap<>();

    /** An attribute of a figure, and the labels that its samples have. */
    record Wanted(BrokerFigure figure, String attribute, SortedMap<String, String> labels) {
        boolean matches(Sample sample) {
            return fits(sample, labels);
        }
    }

    /** True for a sample with these labels, and no other that Kafka gave it. */
    static boolean fits(Sample sample, Map<String, String> labels) {
        return labels.entrySet().stream()
                        .allMatch(label -> sample.label(label.getKey()).equals(label.getValue()))
                && sample.labels().keySet().stream()
                        .allMatch(label ->
                                labels.containsKey(label) || !OF_PARTS.contains(label.toLowerCase(Locale.ROOT)));
    }

    ExportedFigures() {
        for (BrokerFigure figure : BrokerFigure.ALL) {
            for (String attribute : figure.form().attributes()) {
                for (ExporterName name : ExporterName.spellings(figure.name(), attribute)) {
                    add(name.name(), new Wanted(figure, attribute, name.labels()));
                }
            }
            if (figure.form().attributes().contains(MEAN)) {
                // No public configuration exports it. A rule for it names it as that for Count does, mean in the place
                // of count.
                for (ExporterName name : ExporterName.spellings(figure.name(), "Count")) {
                    if (name.name().endsWith("_count")) {
                        add(name.name().replaceFirst("_count$", "_mean"), new Wanted(figure, MEAN, name.labels()));
                    }
                }
            }
        }
    }

    private void add(String name, Wanted wanted) {
        List<Wanted> all = byName.computeIfAbsent(name, first -> new ArrayList<>());
        if (!all.contains(wanted)) {
            all.add(wanted);
        }
    }

    boolean has(String name) {
        return byName.containsKey(name);
    }

    List<Wanted> of(Sample sample) {
        return byName.getOrDefault(sample.name(), List.of()).stream()
                .filter(wanted -> wanted.matches(sample))
                .toList();
    }
}

package weir.report;

import java.util.List;
import java.util.Set;
import weir.feature.Features;
import weir.judge.caveat.BrokerCount;
import weir.judge.trial.HostFigures;
import weir.judge.trial.JudgedTrial;
import weir.measure.Reading;
import weir.report.Section.SectionPart;
import weir.results.TrialFolder;
import weir.results.WindowRow;
import weir.results.value.Caveat;
import weir.results.value.Event;
import weir.results.value.TrialResult;

/** One trial with the content of its folder. */
public record TrialView(
        TrialResult result,
        boolean finished,
        TrialFolder folder,
        List<WindowRow> rows,
        List<Event> events,
        List<Reading> readings,
        List<TrialFolder.Point> spectrum,
        List<Caveat> caveats) {
    /** Reads the data of charts and tables; {@code drawn} contains the metrics that probes declare. */
    public static TrialView of(TrialFolder folder, Set<String> drawn) {
        JudgedTrial judged = JudgedTrial.of(folder);
        return new TrialView(
                judged.result(),
                folder.finished(),
                folder,
                folder.windows(),
                folder.events(),
                folder.readings((source, metric) -> drawn.contains(metric)
                        || source.startsWith("client")
                        || source.equals("transactions")
                        || ofFeatures(source, metric)
                        || BrokerCount.isPart(source, metric)
                        || HostFigures.isPart(source, metric)
                        || ProcessSection.isPart(source, metric)),
                folder.spectrum(),
                judged.caveats());
    }

    static boolean ofFeatures(String source, String metric) {
        return Features.each(SectionPart.class).stream()
                .anyMatch(part -> part.reads().test(source, metric));
    }

    static TrialView summary(TrialFolder folder) {
        JudgedTrial judged = JudgedTrial.of(folder);
        return new TrialView(
                judged.result(),
                folder.finished(),
                folder,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                judged.caveats());
    }

    /** Returns the name in legends: "lz4 2" is the second trial of lz4. */
    public String label() {
        return label(result.variant(), result.repeat(), finished);
    }

    public static String label(String variant, int repeat, boolean finished) {
        return variant + " " + repeat + (finished ? "" : " (unfinished)");
    }
}

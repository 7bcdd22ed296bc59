package weir.probe.scrape;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import weir.probe.BrokerFigure;
import weir.probe.Readings;

/** The figures of one broker that an exporter told at one moment. */
final class ExporterPage {
    private final Map<BrokerFigure, Map<String, Double>> figures = new LinkedHashMap<>();
    private final Map<JvmSample, Double> jvm = new LinkedHashMap<>();

    /** Takes a sample; one that came before, or that no broker can mean, changes nothing. */
    void take(Sample sample, ExportedFigures known) {
        // Neither counts nor times of Kafka are less than nothing. NaN is not known.
        if (!(sample.value() >= 0) || Double.isInfinite(sample.value())) {
            return;
        }
        known.of(sample)
                .forEach(wanted -> figures.computeIfAbsent(wanted.figure(), figure -> new HashMap<>())
                        .putIfAbsent(wanted.attribute(), sample.value()));
        JvmSample.of(sample).ifPresent(of -> jvm.putIfAbsent(of, sample.value()));
    }

    void give(Readings into) {
        figures.forEach((figure, values) -> figure.give(values, into));
        jvm.forEach((of, value) -> of.give(value, into));
    }
}

package weir.probe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import weir.host.kernel.KernelFiles;
import weir.measure.ProbeMetric;

/** A made-up machine: kernel files below a folder, for one probe. */
final class Tree {
    private final Path root;
    private final Readings meter = new Readings("it");
    private long seconds;

    Tree(Path root) {
        this.root = root;
    }

    KernelFiles files() {
        return new KernelFiles(root);
    }

    Tree put(String path, String text) {
        try {
            Path file = files().at(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void remove(String path) throws IOException {
        Files.delete(files().at(path));
    }

    /** Reads the probe, exactly one second after the previous reading. */
    Map<String, Double> look(Probe probe) {
        seconds++;
        meter.begin(seconds, seconds * 1_000_000_000L);
        probe.sample(meter);
        Map<String, Double> readings = new TreeMap<>();
        meter.readings().forEach(reading -> readings.put(reading.metric(), reading.value()));
        return readings;
    }

    static String[] drawn(Probe probe) {
        return probe.drawn().stream().map(ProbeMetric::name).toArray(String[]::new);
    }

    boolean ended() {
        return meter.ended();
    }

    List<String> absent() {
        return meter.absences().stream()
                .map(absence -> absence.metric() + ": " + absence.why())
                .toList();
    }
}

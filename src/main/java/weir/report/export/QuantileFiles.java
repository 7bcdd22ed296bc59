package weir.report.export;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import weir.io.Io;
import weir.judge.Responses;
import weir.results.RunFolder;
import weir.results.TrialFolder;

/**
 * The latencies of each variant's operations over all trials as a file: one number of nanoseconds on each line, in
 * rising order. There is no file if a run has only quantiles instead of single operations.
 */
public final class QuantileFiles {
    private QuantileFiles() {}

    public static List<String> write(RunFolder run, Path folder) {
        List<String> lines = new ArrayList<>();
        List<String> variants = run.trials().stream()
                .filter(TrialFolder::finished)
                .map(trial -> trial.started().variant())
                .distinct()
                .toList();
        Io.attempt("writing quantiles to " + folder, () -> {
            Files.createDirectories(folder);
            for (String variant : variants) {
                List<Responses> own = Responses.of(run, variant);
                if (own.isEmpty()) {
                    lines.add(variant + ": no operation got an answer");
                    continue;
                }
                Responses all = Responses.pooled(own);
                String ofTrials = own.size() > 1 ? " of " + own.size() + " trials" : "";
                if (all.exact()) {
                    Path file = folder.resolve(variant.replace('/', '_') + ".ns");
                    write(file, all.sorted());
                    lines.add(variant + ": " + all.count() + " operations" + ofTrials + ", in " + file);
                } else {
                    lines.add(variant + ": " + all.count() + " records" + ofTrials + ", from histograms (within 0.1 %);"
                            + " exact times exist for write, stream and transactions with measure: {"
                            + " operations: N }, up to a million operations");
                }
                lines.add(line("min", all, 0));
                lines.add(line("p50", all, 50));
                lines.add(line("p99", all, 99));
                lines.add(line("max", all, 100));
            }
        });
        return lines;
    }

    private static String line(String name, Responses all, double percentile) {
        return name + ": " + Math.round(all.millis(percentile) * 1e6) + "ns";
    }

    private static void write(Path file, long[] sorted) throws IOException {
        try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            for (long nanos : sorted) {
                writer.write(Long.toString(nanos));
                writer.write('\n');
            }
        }
    }
}

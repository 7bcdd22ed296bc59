package weir.feature.planes;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import weir.cli.CliCommand;
import weir.cli.CommandLineCluster;
import weir.cli.ConnectionOptions;
import weir.load.message.Payloads;
import weir.load.message.ValueSource;
import weir.plan.Variant;
import weir.plan.syntax.Units;

/** The {@code weir planes} command, which prints lines as in values with content {@code planes}. */
@Command(
        name = "planes",
        header = "Write lines of plane positions, in the format of content: planes.",
        footer = "Example: weir" + " planes --lines 5M --out planes.csv",
        description = {
            "A line has the fields id,ts,speed,dist,bearing,rtid,\"orig\",\"dest\",secsToDep,lon,lat of a plane. Planes"
                    + " fly on great circles between airports. The same seed writes the same lines. To send the lines"
                    + " as values, write value: { file: planes.csv, each: line }."
        })
public final class PlanesCommand extends CliCommand implements Runnable {
    private static final int BUFFER = 1 << 16;
    private static final int LOOK = 1_000;

    @Option(names = "--lines", paramLabel = "N", description = "Number of lines, such as 5M (default: 1k).")
    private String lines = "1k";

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the random numbers (default: 1).")
    private long seed = 1;

    @Option(names = "--out", paramLabel = "FILE", description = "New file for the lines (default: standard output).")
    private @Nullable Path out;

    @Override
    public void run() {
        long count = count();
        Variant planes =
                CommandLineCluster.variant(command(), new ConnectionOptions(), List.of("load.value.content=planes"));
        ValueSource source =
                Payloads.of(planes.load(), Path.of(""), seed).values().apply(0);
        if (out != null && Files.exists(out)) {
            throw wrong("--out: '" + out + "' exists; name another file");
        }
        try {
            if (out == null) {
                write(source, count, System.out);
            } else {
                try (OutputStream file = Files.newOutputStream(out)) {
                    write(source, count, file);
                }
            }
        } catch (IOException e) {
            throw wrong("--out: '" + out + "' cannot be written: " + e.getMessage());
        }
    }

    private static void write(ValueSource source, long count, OutputStream out) throws IOException {
        OutputStream to = new BufferedOutputStream(out, BUFFER);
        for (long i = 0; i < count; i++) {
            to.write(source.next(i));
            to.write('\n');
            if (i % LOOK == 0 && out == System.out && System.out.checkError()) {
                return;
            }
        }
        to.flush();
    }

    private long count() {
        try {
            return Units.records(lines);
        } catch (IllegalArgumentException e) {
            throw wrong("--lines: " + e.getMessage());
        }
    }
}

package weir.report;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import weir.report.block.Block;

/** How it was measured, how to do it again, and where the numbers are. */
final class MethodSection {
    private MethodSection() {}

    static List<Block> method() {
        return List.of(
                Block.text(
                        "Percentiles come from histograms that are added up, never from percentiles. A record belongs to the step in "
                                + "which it was due; the counts of a second are of what happened in it. In a closed loop (rate: max, "
                                + "or a fixed number at a time) a record is due when it is sent, so response equals service. A failed record "
                                + "enters response with at least the client's delivery timeout, so that failures never improve a percentile. "
                                + "All clocks are those of one host, monotonic. Nothing is sampled: every record is timed, and every one is accounted for."));
    }

    static List<Block> reproduce(RunView run) {
        List<Block.Text> files = new ArrayList<>();
        run.folder().files().forEach(file -> files.add(link(Block.styled(""), run, file)));
        for (TrialView trial : run.trials()) {
            Block.Text entry = Block.text(trial.label() + ": ");
            for (Path file : trial.folder().files()) {
                entry = link(entry, run, file).with(Block.Mark.PLAIN, " ");
            }
            files.add(entry);
        }
        return List.of(
                Block.text("In the folder of the experiment, with Weir "
                        + run.asked().weir() + ":"),
                Block.styled("command").with(Block.Mark.CODE, run.asked().command(), "command"),
                Block.more(
                        "experiment.yaml",
                        Block.styled("").with(Block.Mark.CODE, run.folder().experimentYaml())),
                Block.text("This report is made from the files beside it, and 'weir report' makes it again:"),
                new Block.Items("files", files, files.size(), ""));
    }

    private static Block.Text link(Block.Text text, RunView run, Path file) {
        String path = run.folder().path().relativize(file).toString();
        return text.with(Block.Mark.LINK, String.valueOf(file.getFileName()), relative(path));
    }

    /** A path below the report as an address: a name may look like one of another site. */
    static String relative(String path) {
        StringBuilder address = new StringBuilder("./");
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain = c < 0x80 && (Character.isLetterOrDigit(c) || "-._~/".indexOf(c) >= 0);
            address.append(plain ? String.valueOf(c) : String.format(Locale.ROOT, "%%%02X", (int) c));
        }
        return address.toString();
    }
}

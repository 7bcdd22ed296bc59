package weir.report;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import weir.report.chart.Html;

/** How it was measured, how to do it again, and where the numbers are. */
final class MethodSection {
    private MethodSection() {}

    static Html method() {
        Html html = new Html();
        html.element(
                "p",
                "Percentiles come from histograms that are added up, never from percentiles. A record belongs to the step in "
                        + "which it was due; the counts of a second are of what happened in it. In a closed loop (rate: max, "
                        + "or a fixed number at a time) a record is due when it is sent, so response equals service. A failed record "
                        + "enters response with at least the client's delivery timeout, so that failures never improve a percentile. "
                        + "All clocks are those of one host, monotonic. Nothing is sampled: every record is timed, and every one is accounted for.");
        return html;
    }

    static Html reproduce(RunView run) {
        Html html = new Html();
        html.element(
                "p", "In the folder of the experiment, with Weir " + run.asked().weir() + ":");
        html.open("pre", "class", "command")
                .element("code", run.asked().command(), "id", "command")
                .close();
        html.open("details", "class", "more").element("summary", "experiment.yaml");
        html.open("pre").element("code", run.folder().experimentYaml()).close().close();
        html.element("p", "This report is made from the files beside it, and 'weir report' makes it again:");
        html.open("ul", "class", "files");
        for (Path file : run.folder().files()) {
            html.open("li");
            link(html, run, file);
            html.close();
        }
        for (TrialView trial : run.trials()) {
            html.open("li").text(trial.label() + ": ");
            for (Path file : trial.folder().files()) {
                link(html, run, file);
                html.text(" ");
            }
            html.close();
        }
        return html.close();
    }

    private static void link(Html html, RunView run, Path file) {
        String path = run.folder().path().relativize(file).toString();
        html.element("a", String.valueOf(file.getFileName()), "href", relative(path));
    }

    /** A path below the report as an address: a name may look like one of another site. */
    static String relative(String path) {
        StringBuilder address = new StringBuilder("./");
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain = c < 0x80 && (Character.isLetterOrDigit(c) || "-._~/".indexOf(c) >= 0);
            address.append(plain ? String.valueOf(c) : String.format(java.util.Locale.ROOT, "%%%02X", (int) c));
        }
        return address.toString();
    }
}

package weir.report;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import weir.report.chart.Html;

/** How it was measured, how to do it again, and where the numbers are. */
final class MethodSection {
    private MethodSection() {}

    static Html method() {
        Html html = new Html();
        html.element(
                "p",
                "Percentiles come from histograms that are added up, never from percentiles. A record belongs to the step in "
                        + "which it was due; the counts of a second go by when something happened. In a closed loop (rate: max, "
                        + "or so many at a time) a record is due when it is sent, so response equals service. A failed record "
                        + "enters response with at least the client's delivery timeout, so that failures never improve a percentile. "
                        + "All clocks are those of one host, monotonic. Nothing is sampled: every record is timed, and every one is accounted for.");
        return html;
    }

    static Html reproduce(RunView story) {
        Html html = new Html();
        html.element(
                "p",
                "In the folder of the experiment, with Weir " + story.asked().weir() + ":");
        html.open("pre", "class", "command")
                .element("code", story.asked().command(), "id", "command")
                .close();
        html.open("details", "class", "more").element("summary", "experiment.yaml");
        html.open("pre")
                .element("code", story.folder().experimentYaml())
                .close()
                .close();
        html.element(
                "p",
                "This report is made from the files beside it; with them it can be made again (weir report), or asked something else:");
        html.open("ul", "class", "files");
        for (String file :
                List.of("experiment.yaml", "experiment.json", "machine.json", "canaries.json", "conclusion.json")) {
            link(html, story, file, file);
        }
        for (TrialView pass : story.passes()) {
            html.open("li").text(pass.label() + ": ");
            for (String file :
                    List.of("trial.json", "windows.csv", "latency.hlog", "spectrum.csv", "probes.csv", "events.csv")) {
                String path = "trials/" + pass.folder() + "/" + file;
                String there = Files.exists(story.folder().path().resolve(path)) ? path : path + ".part";
                if (Files.exists(story.folder().path().resolve(there))) {
                    html.element("a", file, "href", relative(there)).text(" ");
                }
            }
            html.close();
        }
        return html.close();
    }

    private static void link(Html html, RunView story, String path, String name) {
        if (Files.exists(story.folder().path().resolve(path))) {
            html.open("li").element("a", name, "href", relative(path)).close();
        }
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

package weir.report;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;

/** How it was measured, how to do it again, and where the numbers are. */
final class Closing {
    private static final List<List<String>> WORDS = List.of(
            List.of("due", "the moment at which the schedule asks for a record"),
            List.of(
                    "response",
                    "acked − due: what somebody waits who arrives on time. A stalled cluster cannot hide behind a stalled generator"),
            List.of("service", "acked − sent: what other tools call latency"),
            List.of(
                    "held",
                    "the part of sent − due that an earlier blocked call of the same sender explains: the system's doing"),
            List.of("late", "the rest of sent − due: our own doing"),
            List.of("blocked", "queued − sent: the time inside send()"),
            List.of(
                    "begin, send, offsets, commit",
                    "the parts of a transaction; together they are the service of an operation that has one of its own"),
            List.of("e2e", "received − due: end to end"),
            List.of("achieved", "what was acked, and where somebody reads what was received, against what was offered"),
            List.of(
                    "held, degraded, broken (steps)",
                    "held: achieved at least 99.5 %, not counting up to 100 ms of the rate that were on their way (and not above 105 %, which would be an earlier step's backlog), its queue did not grow, nothing failed, lost or left over, and response p99 at most ten times that of the calmest step, or below 10 ms. Broken: achieved below 95 %, or more than 1 % failed or unsent. Degraded: between"));

    private Closing() {}

    static Html method() {
        Html html = new Html();
        html.open("dl", "class", "words");
        for (List<String> word : WORDS) {
            html.open("div")
                    .element("dt", word.get(0))
                    .element("dd", word.get(1))
                    .close();
        }
        html.close();
        html.element(
                "p",
                "Percentiles come from histograms that are added up, never from percentiles. A record belongs to the step in "
                        + "which it was due; the counts of a second go by when something happened. In a closed loop (rate: max, "
                        + "or so many at a time) a record is due when it is sent, so response equals service. A failed record "
                        + "enters response with at least the client's delivery timeout, so that failures never improve a percentile. "
                        + "All clocks are those of one host, monotonic. Nothing is sampled: every record is timed, and every one is accounted for.");
        return html;
    }

    static Html reproduce(Story story) {
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
        for (Pass pass : story.passes()) {
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

    private static void link(Html html, Story story, String path, String name) {
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

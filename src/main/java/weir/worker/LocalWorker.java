package weir.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.host.Child;
import weir.host.Children;
import weir.host.LocalChild;
import weir.measure.LoadListener;
import weir.time.MachineClock;
import weir.worker.link.Link;
import weir.worker.link.Pipes;

/** A starter of workers that are child JVMs. */
public final class LocalWorker {
    private static final Pattern OUT_OF_MEMORY = Pattern.compile("java\\.lang\\.OutOfMemoryError: (.+)");
    private static final String LARGER_THAN_ARRAYS = "Requested array size exceeds VM limit";
    private static final int LINES = 200;
    private static final int MOST_LINES = 3;
    private static final int FIRST_OF_SIGNALS = 129;

    private LocalWorker() {}

    public static StartedWorker start(Children children, WorkerJvm jvm, String name, Path log, LoadListener listener) {
        WorkerProcess process = WorkerProcess.start(children, jvm, name, log);
        LocalChild child = process.child();
        Link link = new Pipes(child.output(), child.input(), process::close);
        return new StartedWorker(
                new LinkedWorker(link, child.pid(), listener, () -> death(child, log), MachineClock.STEADY), child);
    }

    private static String death(Child child, Path log) {
        String worker = child.name() + " " + child.pid() + " ";
        // A process ends slightly later than its streams.
        if (!child.endsWithin(Duration.ofSeconds(5))) {
            return exitMessage(worker + "stopped answering", reasons(child.lastLines(LINES)), log);
        }
        return exitMessage(worker, child.exit().join(), child.lastLines(LINES), log);
    }

    public static String exitMessage(String worker, int exit, List<String> last, Path log) {
        // A killed process did not log the reason.
        return exitMessage(worker + Child.ending(exit), exit >= FIRST_OF_SIGNALS ? List.of() : reasons(last), log);
    }

    public static String exitMessage(String end, List<String> reasons, Path log) {
        String memory = reasons.stream()
                .map(OUT_OF_MEMORY::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .reduce("", (before, last) -> last);
        if (!memory.isEmpty()) {
            String larger = memory.startsWith(LARGER_THAN_ARRAYS)
                    ? "a peer announced a message of about 2 GiB"
                    : "a peer announced a huge message, or the heap is too small for this load";
            return end + ", out of memory: " + memory + ": " + larger + " (log: " + log + ")";
        }
        return end + (reasons.isEmpty() ? "" : ": " + String.join("; ", reasons)) + " (log: " + log + ")";
    }

    public static List<String> reasons(List<String> lines) {
        List<String> reasons = lines.stream()
                .filter(line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0)))
                .toList();
        return reasons.subList(Math.max(0, reasons.size() - MOST_LINES), reasons.size());
    }
}

package weir.run;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.results.value.Event;
import weir.run.disturbance.TrialNotes;

/** Reader of balancer logs: once a second, it notes the lines that say that a server was taken out or back. */
final class BalancerLogs implements Runnable {
    /** Log lines of HAProxy (the first two) and of nginx, which writes them for each request. */
    private static final Pattern TOLD =
            Pattern.compile("(Server \\S+ is (?:DOWN|UP)\\b[^.]*|backend '[^']+' has no server available"
                    + "|upstream server temporarily disabled|no live upstreams)");

    private static final int MOST_BYTES = 1 << 20;

    private final Path folder;
    private final List<String> balancers;
    private final LongSupplier nanos;
    private final TrialNotes notes;
    private final Map<String, Long> read = new HashMap<>();

    BalancerLogs(Path folder, List<String> balancers, LongSupplier nanos, TrialNotes notes) {
        this.folder = folder;
        this.balancers = List.copyOf(balancers);
        this.nanos = nanos;
        this.notes = notes;
    }

    @Override
    public void run() {
        for (String balancer : balancers) {
            Set<String> told = new LinkedHashSet<>();
            Matcher lines = TOLD.matcher(more(balancer));
            while (lines.find()) {
                told.add(lines.group());
            }
            told.forEach(line -> notes.mark(nanos.getAsLong(), balancer + Event.SERVERS, line));
        }
    }

    private String more(String balancer) {
        Path log = folder.resolve(balancer + ".log");
        if (!Files.isRegularFile(log)) {
            return "";
        }
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long from = read.getOrDefault(balancer, 0L);
            byte[] bytes = new byte[(int) Math.min(MOST_BYTES, Math.max(0, file.length() - from))];
            file.seek(from);
            file.readFully(bytes);
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            int whole = text.lastIndexOf('\n') + 1;
            // A line longer than MOST_BYTES is dropped.
            read.put(balancer, whole == 0 && bytes.length == MOST_BYTES ? file.length() : from + whole);
            return text.substring(0, whole);
        } catch (IOException e) {
            notes.mark(nanos.getAsLong(), "note", "the log of " + balancer + " could not be read: " + e.getMessage());
            return "";
        }
    }
}

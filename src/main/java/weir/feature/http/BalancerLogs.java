package weir.feature.http;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.results.value.Event;

/** Reader of balancer logs: once a second, it notes the lines that say that a server was taken out or back. */
final class BalancerLogs {
    /** Log lines of HAProxy (the first two) and of nginx, which writes them for each request. */
    private static final Pattern TOLD =
            Pattern.compile("(Server \\S+ is (?:DOWN|UP)\\b[^.]*|backend '[^']+' has no server available"
                    + "|upstream server temporarily disabled|no live upstreams)");

    private static final int MOST_BYTES = 1 << 20;

    private final Path folder;
    private final Map<String, Long> read = new HashMap<>();

    BalancerLogs(Path folder) {
        this.folder = folder;
    }

    void look(String balancer, BiConsumer<String, String> marks) {
        Set<String> told = new LinkedHashSet<>();
        Matcher lines = TOLD.matcher(more(balancer, marks));
        while (lines.find()) {
            told.add(lines.group());
        }
        told.forEach(line -> marks.accept(balancer + Event.SERVERS, line));
    }

    private String more(String balancer, BiConsumer<String, String> marks) {
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
            marks.accept("note", "the log of " + balancer + " could not be read: " + e.getMessage());
            return "";
        }
    }
}

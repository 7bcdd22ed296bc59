package weir.measure;

import java.util.ArrayList;
import java.util.List;

/** Some messages of one kind and of some steps by name, those in a row in one line. */
final class Examples {
    private final String word;
    private final int first;
    private final int last;
    private final int limit;
    private final List<String> lines = new ArrayList<>();

    /** At most {@code limit} lines, each beginning with {@code word}. */
    Examples(String word, int first, int last, int limit) {
        this.word = word;
        this.first = first;
        this.last = last;
        this.limit = limit;
    }

    /** Lists the messages of a producer that are in the first set and not in the second. */
    void name(SentLedger sender, Sequences in, Sequences out) {
        long to = sender.endOf(last);
        long next = in.next(sender.firstOf(first));
        while (next < to && lines.size() < limit) {
            if (out.contains(next)) {
                next = in.next(out.nextAbsent(next));
                continue;
            }
            long end = Math.min(to, Math.min(in.nextAbsent(next), out.next(next)));
            String messages = end - next == 1 ? "message " + next : "messages " + next + " to " + (end - 1);
            lines.add(word + ": producer " + sender.producer() + ", " + messages);
            next = in.next(end);
        }
    }

    List<String> lines() {
        return lines;
    }
}

package weir.feature.hosts;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import weir.io.Io;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkFrame.Kind;
import weir.worker.link.LinkJson;

/** A request on a link, which the other end answers. Each argument in {@code words} is JSON. */
public record LinkCall(int number, String op, List<String> words) {
    public LinkCall {
        words = List.copyOf(words);
    }

    /**
     * The answer to a call: {@code value} as JSON, or the reason of a failure; {@code failure} is empty after a
     * success.
     */
    public record Answer(int number, String value, String failure) {
        public static Answer read(LinkFrame frame) {
            return LinkJson.read(frame.text(), Answer.class);
        }

        public LinkFrame frame() {
            return LinkFrame.of(Kind.ANSWER, LinkJson.write(this));
        }
    }

    public interface Answering {
        Object answer(LinkCall call) throws IOException;
    }

    public static LinkCall of(int number, Enum<?> op, Object... words) {
        return new LinkCall(
                number, op.name(), Stream.of(words).map(LinkJson::write).toList());
    }

    public static LinkCall read(LinkFrame frame) {
        return LinkJson.read(frame.text(), LinkCall.class);
    }

    public LinkFrame frame() {
        return LinkFrame.of(Kind.CALL, LinkJson.write(this));
    }

    public <T> T word(int index, Class<T> type) {
        return LinkJson.read(words.get(index), type);
    }

    public Path path(int index) {
        return word(index, Path.class);
    }

    /** Acts; returns the answer of a call without a result. */
    public static String done(Io.Writing act) throws IOException {
        act.write();
        return "";
    }

    public LinkFrame answered(Answering answering) {
        Answer answer;
        try {
            answer = new Answer(number, LinkJson.write(answering.answer(this)), "");
        } catch (IOException | RuntimeException e) {
            String cause = e.getCause() == null ? "" : ": " + e.getCause().getMessage();
            answer = new Answer(number, "", e.getMessage() + cause);
        }
        return answer.frame();
    }
}

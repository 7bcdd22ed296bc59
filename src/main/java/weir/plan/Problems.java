package weir.plan;

import java.util.List;
import java.util.stream.Collectors;

/** All mistakes in the user's input, reported together. */
public final class Problems extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> list;

    public Problems(List<Problem> list) {
        super(list.stream().map(Problem::text).collect(Collectors.joining("\n")));
        this.list = List.copyOf(list);
    }

    public static Problems of(String source, String message) {
        return new Problems(List.of(Problem.of(source, message)));
    }

    public List<Problem> list() {
        return list;
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}

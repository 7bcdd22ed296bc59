package weir.results;

import java.util.List;

/** The answer in one sentence, what it is an answer about, and what to do. */
public record Conclusion(String answer, String scope, List<String> losses, List<String> advice) {
    public Conclusion {
        losses = List.copyOf(losses);
        advice = List.copyOf(advice);
    }
}

package weir.report;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import weir.report.chart.Html;
import weir.results.GateOutcome;

/** The head of a page about several runs: what it is of, the answer, and what a gate says of them. */
public final class GateHeader {
    private GateHeader() {}

    /**
     * The header of such a page.
     *
     * @param outcome null when no gate was asked
     * @param why the reasons of the gate
     */
    public static Html of(String name, String answer, @Nullable GateOutcome outcome, List<String> why) {
        Html html = new Html();
        html.open("header", "id", "answer").open("p", "class", "overline");
        if (outcome != null) {
            String look = switch (outcome) {
                case OPEN -> "valid";
                case REGRESSION -> "invalid";
                case BLIND -> "suspect";
            };
            html.element("span", outcome.name().toLowerCase(Locale.ROOT), "class", "badge " + look);
        }
        html.element("span", name, "class", "run").close();
        html.element("h1", answer);
        why.forEach(reason -> html.element("p", reason, "class", "loss"));
        return html.close();
    }
}

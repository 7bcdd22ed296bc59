package weir.report;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import weir.results.LoadCurve;
import weir.results.TrialResult;
import weir.results.Written;

/** The variants against each other: every trial a dot, and each ratio with its interval. */
final class Comparing {
    private static final int WIDTH = 520;

    private Comparing() {}

    static Html html(Story story) {
        Html html = new Html();
        html.add(Axis.html(story));
        html.element("p", "Every trial is a dot, the bar is the median of its variant.", "class", "note");
        html.open("div", "class", "charts");
        if (story.stepped()) {
            double rate = common(story);
            html.add(dots(
                    story,
                    "p99",
                    "Response p99 at " + Written.rate(rate),
                    "ms",
                    false,
                    trial -> trial.steps().stream()
                            .filter(step -> step.rate() != null && step.rate() == rate)
                            .findFirst()
                            .map(step -> step.figures().response().p99())
                            .orElse(null)));
            html.add(dots(story, "most", "Most achieved in any step", "records/s", true, Comparing::most));
        } else {
            html.add(dots(
                    story,
                    "acked",
                    "Acked",
                    "records/s",
                    true,
                    trial -> trial.figures().ackedPerSecond()));
            html.add(dots(
                    story,
                    "received",
                    "Received",
                    "records/s",
                    true,
                    trial -> trial.figures().receivedPerSecond()));
            html.add(dots(
                    story,
                    "p99",
                    "Response p99",
                    "ms",
                    false,
                    trial -> trial.figures().response().p99()));
            html.add(dots(
                    story,
                    "e2e",
                    "End to end p99",
                    "ms",
                    false,
                    trial -> trial.figures().e2e().p99()));
        }
        html.close();
        if (!story.comparisons().isEmpty()) {
            List<String> variants = story.variants();
            html.add(Forest.html(story.comparisons(), variants));
        }
        return html;
    }

    /** The fastest rate that every variant held, or else the slowest that was offered. */
    private static double common(Story story) {
        double common = Double.MAX_VALUE;
        double slowest = Double.MAX_VALUE;
        for (String variant : story.variants()) {
            LoadCurve curve = story.curve(variant);
            LoadCurve.@Nullable Stage knee = curve.knee();
            common = Math.min(common, knee == null ? -1 : knee.rate());
            slowest = curve.stages().stream().mapToDouble(LoadCurve.Stage::rate).reduce(slowest, Math::min);
        }
        return common > 0 ? common : slowest;
    }

    private static @Nullable Double most(TrialResult trial) {
        return trial.steps().stream()
                .map(LoadCurve::achievedPerSecond)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
    }

    private static Html dots(
            Story story,
            String id,
            String title,
            String unit,
            boolean fromZero,
            Function<TrialResult, @Nullable Double> figure) {
        List<TrialResult> trials = story.trials().stream()
                .filter(trial -> figure.apply(trial) != null)
                .toList();
        if (trials.isEmpty()) {
            return new Html();
        }
        double lowest = trials.stream().mapToDouble(t -> of(figure, t)).min().orElse(1);
        double highest = trials.stream().mapToDouble(t -> of(figure, t)).max().orElse(1);
        Scale x = fromZero ? Scale.fromZero(highest) : Scale.around(lowest, highest);
        List<String> variants = story.variants();
        int height = 84 + 30 * variants.size();
        Plot plot = new Plot(title, x, new Scale.Linear(0, variants.size()), WIDTH, height, 30).rows(unit, variants);
        Table table = new Table(1, "variant", "trial", "repeat", title + " (" + unit + ")");
        for (TrialResult trial : trials) {
            int row = variants.indexOf(trial.variant());
            double value = of(figure, trial);
            String text = trial.variant() + " " + trial.repeat() + ": " + Written.number(value) + " " + unit;
            plot.dot(value, variants.size() - row - 0.5, Looks.of(row), text);
            table.row(
                    trial.variant(),
                    String.valueOf(trial.trial()),
                    String.valueOf(trial.repeat()),
                    Written.number(value));
        }
        for (int row = 0; row < variants.size(); row++) {
            String variant = variants.get(row);
            List<Double> values = trials.stream()
                    .filter(trial -> trial.variant().equals(variant))
                    .map(figure)
                    .sorted(Comparator.comparing(Objects::requireNonNull))
                    .toList();
            if (values.size() > 1) {
                double median = (Objects.requireNonNull(values.get((values.size() - 1) / 2))
                                + Objects.requireNonNull(values.get(values.size() / 2)))
                        / 2;
                double middle = variants.size() - row - 0.5;
                plot.line(new double[] {median, median}, new double[] {middle - 0.3, middle + 0.3}, Looks.of(row), "");
            }
        }
        return Chart.framed(title, "", List.of(), plot.svg("t-" + id), table.twin("t-" + id, title), false);
    }

    private static double of(Function<TrialResult, @Nullable Double> figure, TrialResult trial) {
        Double value = figure.apply(trial);
        return value == null ? Double.NaN : value;
    }
}

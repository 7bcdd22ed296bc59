package weir.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.judge.Comparisons;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.TrialFolder;
import weir.results.value.ComparisonResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;

/** Pairs of statements of a report that cannot both be true. */
public final class Contradictions {
    private static final String RATE = "(?:≥ )?([\\d,]+(?:\\.\\d+)?)/s";
    private static final String WHO = "(?:“([^”]+)”[^.;]{0,40}? )?";

    private static final Pattern HOLDS = Pattern.compile(WHO
            + "(?:(?<![Nn]either )[Ss]ustains(?: every rate it was offered, up to)?|[Dd]id not break up to|every trial sustains|it sustains) "
            + RATE);
    private static final Pattern REFUSED = Pattern.compile(
            WHO + "(?:[Dd]oes not sustain(?: even the lowest rate,)?|[Nn]either sustains|[Bb]reaks at) " + RATE);
    private static final Pattern UNTESTED = Pattern.compile("untested at " + RATE);
    private static final Pattern NOTHING = Pattern.compile("(?m)^([^|\n]+) \\| nothing \\|");
    private static final Pattern STATED = Pattern.compile(WHO + "(?:at |sustains )" + RATE
            + "(?: with)?[:,]? response (p\\d+(?:\\.\\d+)?) ((?:≥ )?[\\d.,]+ (?:µs|ms|s))\\b");
    private static final Pattern DROPPED = Pattern.compile("([\\d,]+) events were given up");
    private static final Pattern LOST = Pattern.compile("\\b([\\d,]+) (?:acked records? w(?:as|ere) )?lost\\b");
    private static final Pattern OVER = Pattern.compile("achieved (\\d{3,})(?:\\.\\d+)? %(?! \\(includes)");
    private static final Pattern UNDECIDED = Pattern.compile("ndecided between " + RATE);
    private static final Pattern CHANGED = Pattern.compile("\\| [+-]([\\d]+) % \\| ([\\d]+) % \\| the same");
    private static final Pattern BUSY =
            Pattern.compile("([\\d]+) cores ([\\d]+) % busy: generator ([\\d.]+), brokers ([\\d.]+)\\)");
    private static final String EARLIER = "due before the measured phase";
    private static final Pattern BUSY_TIME = Pattern.compile("busy for (\\d+) % of the time");
    private static final Pattern BY_CLIENT =
            Pattern.compile("(?m)^([^|\n]+ \\| )?(produce|fetch of a consumer) \\| mean by the"
                    + " client \\| (?:– \\| )*([\\d.,]+) ms");
    private static final Pattern CLIENT = Pattern.compile(
            "(?m)^client \\| (?:producer\\.request|consumer\\.fetch)-latency-avg \\| ([\\d.,]+)(?: \\|)?\\s*$");
    private static final String ALL_SECONDS = "even if they were due earlier";
    private static final Pattern LINES = Pattern.compile("records sent, ([\\d.]+) records/sec");
    private static final Pattern CARRIED = Pattern.compile("Acked " + RATE);

    private Contradictions() {}

    /** Returns the contradictions within a run: in its HTML report, its text report and its results. */
    public static List<String> in(RunFolder run) {
        String text = text(HtmlReport.of(run)) + "\n" + TextReport.of(run);
        List<String> found = new ArrayList<>(in(text));
        RunResult result = run.result().orElseThrow();
        boolean single =
                result.trials().stream().map(TrialResult::variant).distinct().count()
                        == result.trials().size();
        if (single
                && Pattern.compile(
                                "\\((?:median trial|medians over)|response is the median over|The median over the|the bar is the median|join the medians"
                                        + "|(?m)^median \\|")
                        .matcher(text)
                        .find()) {
            found.add("a median of a single trial");
        }
        found.addAll(shares(result.comparisons()));
        result.trials().forEach(trial -> figures(trial, text, found));
        for (TrialFolder folder : run.trials()) {
            seconds(folder, text, found);
        }
        boolean reads = result.trials().stream()
                .allMatch(trial -> trial.figures().ackedPerSecond() == null
                        && trial.figures().receivedPerSecond() != null);
        if (reads && !result.trials().isEmpty() && CARRIED.matcher(text).find()) {
            found.add("a reader is said to have acked");
        }
        return found;
    }

    /** A second that is slower than the slowest record of its phase, without an explanation of the seconds. */
    private static void seconds(TrialFolder folder, String text, List<String> found) {
        Double longest =
                folder.finished() ? folder.result().figures().response().max() : null;
        folder.windows().stream()
                .filter(row -> longest != null && row.response().max() > 1.01 * longest)
                .filter(row -> !text.contains(ALL_SECONDS))
                .findFirst()
                .ifPresent(row -> found.add(
                        "second " + row.second() + " has " + row.response().max() + " ms of " + longest));
    }

    /** A percentile above the maximum, and a rate above the offered one without a reason. */
    static void figures(TrialResult trial, String text, List<String> found) {
        Stream.concat(Stream.of(trial.figures()), trial.steps().stream().map(StepResult::figures))
                .forEach(figures -> figures.latencies().forEach((kind, latency) -> {
                    double longest = Objects.requireNonNullElse(latency.max(), Double.POSITIVE_INFINITY);
                    Stream.of(
                                    latency.p50(),
                                    latency.p90(),
                                    latency.p99(),
                                    latency.p999(),
                                    latency.p9999(),
                                    latency.mean())
                            .filter(figure -> figure != null && figure > longest)
                            .forEach(figure -> found.add(kind + " of " + figure + " ms, the longest " + longest));
                }));
        LatencyResult response = trial.figures().response();
        if (response.isBound(99)) {
            Stream.of(response.p99(), response.mean())
                    .map(NumberFormat::millis)
                    .filter(figure -> trial.steps().stream()
                            .map(StepResult::drainedAfter)
                            .noneMatch(after -> after != null
                                    && NumberFormat.millis(after * 1000).equals(figure)))
                    .flatMap(figure -> Pattern.compile(".{0,60}(?<!≥ )(?<![\\d.,])" + Pattern.quote(figure))
                            .matcher(text)
                            .results())
                    .forEach(bare -> found.add("'" + bare.group() + "' is a bound without its mark"));
        }
        Double offered = trial.figures().offeredPerSecond();
        Double acked = trial.figures().ackedPerSecond();
        if (offered != null && acked != null && acked > 1.02 * offered && !text.contains(EARLIER)) {
            found.add("acked " + acked + "/s of " + offered + "/s offered, and nothing says why");
        }
    }

    /** Returns a report without markup: a line for each paragraph and row, with separated cells. */
    public static String text(String html) {
        return html.replaceAll("(?s)<(script|style|svg)\\b.*?</\\1>", "")
                .replaceAll("</t[hd]>", " | ")
                .replaceAll("</(tr|p|li|dt|dd|h\\d|caption|summary|div)>", "\n")
                .replaceAll("<[^>]*>", "")
                .replace("&amp;", "&")
                .replace("&lt;", "<")
                .replace("&gt;", ">");
    }

    static List<String> in(String text) {
        List<String> found = new ArrayList<>();
        rates(text, found);
        percentiles(text, found);
        nothing(text, found);
        untested(text, found);
        texts(text, found);
        return found;
    }

    /** Sustained and not sustained, of the same variant at the same or a faster rate. */
    private static void rates(String text, List<String> found) {
        List<MatchResult> holds = HOLDS.matcher(text).results().toList();
        for (MatchResult refused : REFUSED.matcher(text).results().toList()) {
            holds.stream()
                    .filter(held -> same(held.group(1), refused.group(1)))
                    .filter(held -> number(held.group(2)) >= number(refused.group(2)))
                    .forEach(held -> found.add("'" + held.group() + "' and '" + refused.group() + "'"));
        }
    }

    /** A sentence that names no variant is about all variants. */
    private static boolean same(String one, String other) {
        return one == null || other == null || one.equals(other);
    }

    private static double number(String text) {
        return Double.parseDouble(text.replace(",", ""));
    }

    /** Two values of one percentile of the response of a variant at a rate. */
    private static void percentiles(String text, List<String> found) {
        Map<String, Set<String>> values = new TreeMap<>();
        for (MatchResult stated : STATED.matcher(text).results().toList()) {
            values.computeIfAbsent(
                            stated.group(1) + " at " + stated.group(2) + "/s: " + stated.group(3),
                            key -> new TreeSet<>())
                    .add(stated.group(4));
        }
        values.forEach((what, all) -> {
            if (all.size() > 1) {
                found.add(what + " is " + String.join(" and ", all));
            }
        });
    }

    /** A variant that sustained nothing, with a sustained step. */
    private static void nothing(String text, List<String> found) {
        NOTHING.matcher(text)
                .results()
                .map(row -> row.group(1))
                .filter(variant -> Pattern.compile("(?m)^.*\\b" + Pattern.quote(variant) + "\\b.*\\| sustained")
                        .matcher(text)
                        .find())
                .forEach(variant -> found.add(variant + " sustained nothing, and a step of it was sustained"));
    }

    /** A step that the generator limited, with a row or a sentence in which the step broke. */
    private static void untested(String text, List<String> found) {
        UNTESTED.matcher(text)
                .results()
                .map(step -> Pattern.quote(step.group(1) + "/s"))
                .flatMap(rate -> Pattern.compile(
                                "(?m)^.*" + rate + " \\|.*\\| (?:broken|degraded)|(?:reaks at|not sustain) " + rate)
                        .matcher(text)
                        .results())
                .forEach(row -> found.add("'" + row.group() + "' is untested elsewhere"));
    }

    /** Sentences that no report may contain, and what is wrong with each. */
    private static final Map<String, String> NEVER = Map.of(
            "has no visible effect on response p99[^\n]{0,80}; no verdict", "no cost is seen, and there is no verdict",
            "\\d more below", "more below, of nothing that has a name",
            "broken, recovered at once", "a broken step is recovered at once",
            "breaking points are those of the CPU", "the CPU is said to be the limit, and a step says why it broke",
            "absorbed all writes|of the same measured seconds",
                    "one sentence about all of what only a part is known of");

    private static void texts(String text, List<String> found) {
        NEVER.forEach((sentence, wrong) -> {
            if (Pattern.compile(sentence).matcher(text).find()) {
                found.add(wrong);
            }
        });
        if (text.contains("Each variant at the rate it sustained (")
                && NOTHING.matcher(text).find()) {
            found.add("a row at the rate it sustained, of a variant that sustained nothing");
        }
        boolean none = Pattern.compile("no slower step was sustained|even the lowest rate")
                .matcher(text)
                .find();
        if (none
                && Pattern.compile("sustained rising steps|of CPU a record")
                        .matcher(text)
                        .find()
                && !Pattern.compile("none was sustained|no step was sustained|over all steps")
                        .matcher(text)
                        .find()) {
            found.add("CPU per record over sustained steps, and none was sustained");
        }
        if (UNDECIDED.matcher(text).find() && text.contains("the answer sustained")) {
            found.add("an undecided search has an answer");
        }
        CHANGED.matcher(text)
                .results()
                .filter(row -> number(row.group(1)) > number(row.group(2)))
                .forEach(row -> found.add("the machine is the same: '" + row.group() + "'"));
        BUSY.matcher(text)
                .results()
                .filter(row -> number(row.group(1)) * number(row.group(2)) / 100
                        > number(row.group(3)) + number(row.group(4)) + 0.1)
                .forEach(row -> found.add("'" + row.group() + "' is less than all of them"));
        BUSY_TIME
                .matcher(text)
                .results()
                .filter(busy -> number(busy.group(1)) > 100)
                .forEach(busy -> found.add(busy.group()));
        List<Double> clients =
                CLIENT.matcher(text).results().map(row -> number(row.group(1))).toList();
        if (!clients.isEmpty()) {
            BY_CLIENT
                    .matcher(text)
                    .results()
                    .filter(row -> clients.stream()
                            .noneMatch(mean -> Math.abs(mean - number(row.group(3))) <= 0.02 * mean + 0.01))
                    .forEach(row -> found.add(row.group() + ", and the client's metrics say " + clients));
        }
        if (OVER.matcher(text).results().anyMatch(match -> Integer.parseInt(match.group(1)) > 105)) {
            found.add("more is achieved than was due");
        }
        Matcher dropped = DROPPED.matcher(text);
        if (dropped.find() && !text.contains("warm-up and drain")) {
            String given = dropped.group(1);
            LOST.matcher(text)
                    .results()
                    .filter(lost -> !lost.group(1).equals(given))
                    .findFirst()
                    .ifPresent(lost -> found.add(given + " given up and " + lost.group(1) + " lost"));
        }
        Matcher lines = LINES.matcher(text);
        Matcher carried = CARRIED.matcher(text);
        if (lines.find() && carried.find() && Math.abs(number(lines.group(1)) / number(carried.group(1)) - 1) > 0.02) {
            found.add(lines.group(1) + " records/sec and " + carried.group());
        }
    }

    /** A share of a cost that does not differ from zero. */
    static List<String> shares(List<ComparisonResult> comparisons) {
        return comparisons.stream()
                .filter(share -> share.to() != null && share.ratio() != null)
                .filter(share -> comparisons.stream()
                        .anyMatch(cost -> cost.to() == null
                                && cost.metric().equals(share.metric())
                                && Set.of(cost.a(), cost.b()).equals(Set.of(share.b(), share.to()))
                                && cost.verdict().equals(Comparisons.SAME)))
                .map(share -> share.pair() + ": a share of a difference in " + share.metric() + " that is not there")
                .collect(Collectors.toList());
    }
}

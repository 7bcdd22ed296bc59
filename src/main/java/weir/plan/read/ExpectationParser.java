package weir.plan.read;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import weir.plan.Expectation;
import weir.plan.Rate;
import weir.plan.Ratio;
import weir.plan.syntax.NearestWord;
import weir.plan.syntax.Synonyms;
import weir.plan.syntax.Units;

/**
 * Reads the sentences of {@code expect} and {@code limits}:
 * {@code METRIC [STAT] [of A [/ B]] [during X] (OP VALUE | same within N%) [for N% of windows]}.
 */
public final class ExpectationParser {
    public static final List<String> LATENCIES = List.of(
            "response",
            "service",
            "e2e",
            "late",
            "held",
            "blocked",
            "begin",
            "send",
            "offsets",
            "commit",
            "abort",
            "transaction",
            "fetch");
    public static final List<String> COUNTS = List.of(
            "due",
            "unsent",
            "sent",
            "acked",
            "failed",
            "aborted",
            "unresolved",
            "received",
            "unread",
            "lost",
            "duplicated",
            "reread",
            "reordered",
            "ghosts",
            "foreign",
            "torn",
            "operations");
    static final List<String> RATES = List.of("offered/s", "acked/s", "received/s");
    /** What is counted in each window and each phase, and not only in the ledger of what was measured. */
    private static final Set<String> COUNTED = Set.of("due", "sent", "acked", "failed", "received");

    /** The phases that are not measured. */
    private static final Set<String> ASIDE = Set.of("fill", "warmup", "drain");

    /** Times that a trial has once. */
    private static final Set<String> SPANS = Set.of("catch-up", "gap", "recovery");

    static final List<String> SEARCHED = List.of("capacity", "breaking-point", "partitions");
    /** Every metric, in the order in which people are told of them. */
    public static final List<String> METRICS = Stream.of(
                    LATENCIES,
                    List.of("lag"),
                    COUNTS,
                    RATES,
                    List.of("MiB/s", "achieved", "catch-up", "gap", "recovery"),
                    SEARCHED)
            .flatMap(List::stream)
            .toList();

    private static final Pattern SENTENCE =
            Pattern.compile("(?<metric>\\S+)(?: (?!of |during |same )(?<stat>[a-z][a-z0-9.]*))?"
                    + "(?: of (?<of>\\S+)(?: / (?<over>\\S+))?)?(?: during (?<during>\\S+))?"
                    + "(?: (?<operator><=|>=|==|<|>) ?(?<value>\\S+(?: ?(?:ms|s|%))?)| same within (?<within>\\S+))"
                    + "(?: for (?<windows>\\S+) of windows)?");
    private static final Pattern PERCENTILE = Pattern.compile("p([0-9]{1,2}(\\.[0-9]{1,6})?)");
    private static final int LONGEST = 300;

    private static final Map<String, Expectation.Operator> OPERATORS = Map.of(
            "<", Expectation.Operator.BELOW,
            "<=", Expectation.Operator.AT_MOST,
            ">", Expectation.Operator.ABOVE,
            ">=", Expectation.Operator.AT_LEAST,
            "==", Expectation.Operator.EQUAL);

    private ExpectationParser() {}

    public static Expectation parse(String text) {
        Matcher m = SENTENCE.matcher(text);
        if (text.length() > LONGEST || !m.matches()) {
            String first = text.substring(0, Math.min(text.length(), LONGEST)).split(" ", 2)[0];
            String hint = METRICS.contains(first) ? "" : Synonyms.ofMetric(first);
            if (!hint.isEmpty()) {
                throw new IllegalArgumentException("'" + first + "' is not a metric" + hint);
            }
            throw Units.unreadable(text, "an expectation", "response p99 < 50ms, lost == 0 or acked/s of b / a > 1");
        }
        String metric = m.group("metric");
        if (!METRICS.contains(metric)) {
            String hint = Synonyms.ofMetric(metric);
            throw new IllegalArgumentException(
                    "'" + metric + "' is not a metric" + (hint.isEmpty() ? NearestWord.hint(metric, METRICS) : hint));
        }
        String stat = given(m.group("stat"));
        checkStat(metric, stat);
        String over = given(m.group("over"));
        String during = moment(given(m.group("during")));
        Ratio windows = m.group("windows") == null ? Expectation.WHOLE : someWindows(m.group("windows"));
        checkMoment(metric, during, m.group("windows") != null);
        if (m.group("within") != null) {
            if (over.isEmpty()) {
                throw new IllegalArgumentException(
                        "'same within' needs two variants; write " + metric + " " + stat + " of A / B same within 10%");
            }
            double share = Units.percent(m.group("within")).share();
            return new Expectation(
                    text,
                    metric,
                    stat,
                    given(m.group("of")),
                    over,
                    during,
                    Expectation.Operator.SAME_WITHIN,
                    share,
                    Expectation.Unit.SHARE,
                    windows);
        }
        if (!over.isEmpty() && m.group("operator").equals("==")) {
            throw new IllegalArgumentException(
                    "a ratio is known to an interval and equals nothing; write same within 1%");
        }
        Figure figure = over.isEmpty() ? figure(metric, m.group("value")) : ratio(m.group("value"));
        Expectation.Operator operator = OPERATORS.getOrDefault(m.group("operator"), Expectation.Operator.EQUAL);
        return new Expectation(
                text,
                metric,
                stat,
                given(m.group("of")),
                over,
                during,
                operator,
                figure.value(),
                figure.unit(),
                windows);
    }

    /** A value and what it counts. */
    private record Figure(double value, Expectation.Unit unit) {}

    private static void checkStat(String metric, String stat) {
        if (LATENCIES.contains(metric)) {
            boolean percentile = PERCENTILE.matcher(stat).matches() && !stat.equals("p0");
            if (!percentile && !stat.equals("mean") && !stat.equals("max")) {
                throw new IllegalArgumentException(
                        "'" + metric + "' needs to say which: a percentile such as p99.9, mean or max");
            }
        } else if (metric.equals("lag")) {
            if (!stat.equals("max") && !stat.equals("end")) {
                throw new IllegalArgumentException("'lag' needs to say which: max or end");
            }
        } else if (!stat.isEmpty()) {
            throw new IllegalArgumentException("'" + metric + "' is one number and has no '" + stat + "'");
        }
    }

    private static Ratio someWindows(String share) {
        Ratio windows = Units.share(share);
        if (windows.share() == 0) {
            throw new IllegalArgumentException("no windows at all ask for nothing; leave 'for … of windows' out");
        }
        return windows;
    }

    /** Whether the metric is known for that time. */
    private static void checkMoment(String metric, String during, boolean byWindow) {
        boolean always = LATENCIES.contains(metric) || COUNTED.contains(metric) || RATES.contains(metric);
        boolean known = always || metric.equals("lag") || metric.equals("MiB/s") || metric.equals("achieved");
        if (byWindow && !known) {
            throw new IllegalArgumentException("'" + metric + "' is not known window by window; leave out 'for …'");
        }
        if (metric.equals("catch-up") && !during.isEmpty() && !during.equals("measure")) {
            throw new IllegalArgumentException(
                    "'catch-up' is known of a whole trial; leave out 'during " + during + "'");
        }
        if (ASIDE.contains(during) && !known && !SEARCHED.contains(metric)) {
            throw new IllegalArgumentException(
                    "'" + metric + "' is known for what was measured, not for the phase " + during);
        }
        boolean due = LATENCIES.contains(metric)
                || Set.of("due", "offered/s", "achieved").contains(metric);
        if (during.equals("drain") && due) {
            throw new IllegalArgumentException("nothing is due in the phase drain, so there is no '" + metric + "'");
        }
    }

    private static Figure figure(String metric, String value) {
        if (LATENCIES.contains(metric) || SPANS.contains(metric)) {
            return seconds(value);
        }
        if (metric.equals("lag") && Units.DURATION.matcher(value).matches()) {
            return seconds(value);
        }
        if (metric.equals("lag") || COUNTS.contains(metric)) {
            return new Figure(Units.count(value), Expectation.Unit.RECORDS);
        }
        if (metric.equals("achieved")) {
            return new Figure(Units.percent(value).share(), Expectation.Unit.SHARE);
        }
        if (metric.equals("capacity")
                || metric.equals("breaking-point")
                || (RATES.contains(metric) && value.endsWith("/s"))) {
            Rate rate = Units.rate(value);
            boolean bytes = rate.unit() == Rate.Unit.BYTES;
            if (bytes && RATES.contains(metric)) {
                throw new IllegalArgumentException("'" + metric + "' counts records; for bytes write MiB/s > "
                        + Math.round(rate.perSecond() / (1 << 20)));
            }
            return new Figure(
                    rate.perSecond(), bytes ? Expectation.Unit.BYTES_PER_SECOND : Expectation.Unit.PER_SECOND);
        }
        if (RATES.contains(metric)) {
            return new Figure(Units.count(value), Expectation.Unit.PER_SECOND);
        }
        return new Figure(Units.decimal(value), Expectation.Unit.NUMBER);
    }

    private static Figure ratio(String value) {
        if (value.endsWith("%")) {
            return new Figure(Units.percent(value).share(), Expectation.Unit.SHARE);
        }
        return new Figure(Units.decimal(value), Expectation.Unit.NUMBER);
    }

    private static Figure seconds(String value) {
        return new Figure(Units.duration(value).toNanos() / 1e9, Expectation.Unit.SECONDS);
    }

    /** A step goes by its rate, however that is written. */
    private static String moment(String during) {
        return Units.RATE.matcher(during).matches() ? Units.rate(during).text() : during;
    }

    private static String given(@org.jspecify.annotations.Nullable String group) {
        return group == null ? "" : group;
    }
}

package weir.plan.syntax;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.plan.Expectation;
import weir.plan.Metric;
import weir.plan.NearestWord;
import weir.plan.Rate;
import weir.plan.Ratio;

/**
 * A parser of the sentences of {@code expect} and {@code limits}: {@code METRIC [STAT] [of A [/ B]] [during X] (OP
 * VALUE | same within N%) [for N% of windows]}.
 */
public final class ExpectationParser {
    private static final Set<String> ASIDE = Set.of("fill", "warmup", "drain");

    private static final String VARIANT = "\\S+(?: after \\S+(?: and \\S+)*)?";

    private static final Pattern SENTENCE =
            Pattern.compile("(?<metric>\\S+)(?: (?!of |during |same )(?<stat>[a-z][a-z0-9.]*))?"
                    + "(?: of (?<of>" + VARIANT + ")(?: / (?<over>" + VARIANT + "))?)?(?: during (?<during>\\S+))?"
                    + "(?: (?<operator><=|>=|==|<|>) ?(?<value>\\S+(?: ?(?:ms|s|%))?)| same within (?<within>\\S+))"
                    + "(?: for (?<windows>\\S+) of windows)?");
    private static final Pattern PERCENTILE = Pattern.compile("p([0-9]{1,2}(\\.[0-9]{1,6})?)");
    private static final int LONGEST = 300;

    private ExpectationParser() {}

    public static Expectation parse(String text) {
        Matcher m = SENTENCE.matcher(text);
        if (text.length() > LONGEST || !m.matches()) {
            String first = text.substring(0, Math.min(text.length(), LONGEST)).split(" ", 2)[0];
            String hint = Glossary.metrics().containsKey(first) ? "" : Synonyms.ofMetric(first);
            if (!hint.isEmpty()) {
                throw new IllegalArgumentException("'" + first + "' is not a metric" + hint);
            }
            throw Units.unreadable(text, "an expectation", "response p99 < 50ms, lost == 0 or acked/s of b / a > 1");
        }
        Metric metric = metric(m.group("metric"));
        String stat = given(m.group("stat"));
        checkStat(metric, stat);
        String over = given(m.group("over"));
        String during = given(m.group("during"));
        during = Units.RATE.matcher(during).matches() ? Units.rate(during).text() : during;
        Ratio windows = m.group("windows") == null ? Expectation.WHOLE : someWindows(m.group("windows"));
        checkMoment(metric, during, m.group("windows") != null);
        boolean same = m.group("within") != null;
        if (same && over.isEmpty()) {
            throw new IllegalArgumentException("'same within' needs two variants; write " + metric.name() + " " + stat
                    + " of A / B same within 10%");
        }
        Expectation.Operator operator =
                same ? Expectation.Operator.SAME_WITHIN : Expectation.Operator.of(m.group("operator"));
        if (!over.isEmpty() && operator == Expectation.Operator.EQUAL) {
            throw new IllegalArgumentException(
                    "== cannot judge a ratio, because a ratio has an interval; write same within 1%");
        }
        String amount = m.group(same ? "within" : "value");
        Figure figure = same || (!over.isEmpty() && amount.endsWith("%"))
                ? share(amount)
                : over.isEmpty() ? figure(metric, amount) : number(amount);
        return new Expectation(
                metric,
                stat,
                given(m.group("of")),
                over,
                during,
                operator,
                amount,
                figure.value(),
                figure.unit(),
                windows);
    }

    private record Figure(double value, Expectation.Unit unit) {}

    private static Metric metric(String name) {
        Metric metric = Glossary.metrics().get(name);
        if (metric == null) {
            String hint = Synonyms.ofMetric(name);
            throw new IllegalArgumentException("'" + name + "' is not a metric"
                    + (hint.isEmpty()
                            ? NearestWord.hint(name, Glossary.metrics().keySet())
                            : hint));
        }
        return metric;
    }

    private static void checkStat(Metric metric, String stat) {
        switch (metric.kind()) {
            case LATENCY -> {
                boolean percentile = PERCENTILE.matcher(stat).matches() && !stat.equals("p0");
                if (!percentile && !stat.equals("mean") && !stat.equals("max")) {
                    throw new IllegalArgumentException("'" + metric.name()
                            + "' needs a statistic; add one of: a percentile such as p99.9, mean or max");
                }
            }
            case LAG -> {
                if (!stat.equals("max") && !stat.equals("end")) {
                    throw new IllegalArgumentException(
                            "'" + metric.name() + "' needs a statistic; add one of: max or end");
                }
            }
            case COUNT, RATE, SHARE, SPAN, SEARCH -> {
                // A span is the longest one of its trial.
                if (!stat.isEmpty() && !(metric.kind() == Metric.Kind.SPAN && stat.equals("max"))) {
                    throw new IllegalArgumentException(
                            "'" + metric.name() + "' is one number and has no statistic '" + stat + "'");
                }
            }
        }
    }

    private static Ratio someWindows(String share) {
        Ratio windows = Units.share(share);
        if (windows.share() == 0) {
            throw new IllegalArgumentException(
                    "a share of 0% of windows checks nothing; write a share above 0%, or remove 'for … of windows'");
        }
        return windows;
    }

    private static void checkMoment(Metric metric, String during, boolean byWindow) {
        String name = "'" + metric.name() + "'";
        if (byWindow && !metric.known().byWindow()) {
            throw new IllegalArgumentException(name + " has no value for single windows; remove 'for … of windows'");
        }
        if (metric.kind() == Metric.Kind.SEARCH) {
            return;
        }
        if (metric.known() == Metric.Known.TRIAL && !during.isEmpty() && !during.equals("measure")) {
            throw new IllegalArgumentException(name + " exists for a whole trial only; remove 'during " + during + "'");
        }
        if (ASIDE.contains(during) && !metric.known().byWindow()) {
            throw new IllegalArgumentException(name + " exists for the measured phase, not for the phase " + during);
        }
        if (during.equals("drain") && metric.known() == Metric.Known.DUE) {
            throw new IllegalArgumentException("no operation is due in the phase drain, so it has no " + name);
        }
    }

    private static Figure figure(Metric metric, String value) {
        return switch (metric.kind()) {
            case LATENCY, SPAN -> seconds(value);
            case LAG -> Units.DURATION.matcher(value).matches() ? seconds(value) : records(value);
            case COUNT -> records(value);
            case SHARE -> share(value);
            case RATE, SEARCH -> rate(metric, value);
        };
    }

    private static Figure rate(Metric metric, String value) {
        boolean records = metric.unit().equals("records/s");
        if (records && !value.endsWith("/s")) {
            return new Figure(Units.count(value), Expectation.Unit.PER_SECOND);
        }
        if (!records && !metric.unit().equals("operations/s")) {
            return number(value);
        }
        Rate rate = Units.rate(value);
        boolean bytes = rate.unit() == Rate.Unit.BYTES;
        if (bytes && records) {
            throw new IllegalArgumentException("'" + metric.name() + "' is in records; for bytes write MiB/s > "
                    + Math.round(rate.perSecond() / (1 << 20)));
        }
        return new Figure(rate.perSecond(), bytes ? Expectation.Unit.BYTES_PER_SECOND : Expectation.Unit.PER_SECOND);
    }

    private static Figure records(String value) {
        return new Figure(Units.count(value), Expectation.Unit.RECORDS);
    }

    private static Figure share(String value) {
        return new Figure(Units.percent(value).share(), Expectation.Unit.SHARE);
    }

    private static Figure number(String value) {
        return new Figure(Units.decimal(value), Expectation.Unit.NUMBER);
    }

    private static Figure seconds(String value) {
        return new Figure(Units.duration(value).toNanos() / 1e9, Expectation.Unit.SECONDS);
    }

    private static String given(@org.jspecify.annotations.Nullable String group) {
        return group == null ? "" : group;
    }
}

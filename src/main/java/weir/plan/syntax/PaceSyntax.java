package weir.plan.syntax;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.plan.Problem;
import weir.plan.Rate;
import weir.plan.RateSpec;

/** A parser of rates in all their one-line notations. */
public final class PaceSyntax {
    private static final String PER_PRODUCER = " per producer";
    private static final Pattern LOOP = Pattern.compile("([0-9]{1,9}|one) at a time");
    private static final Pattern SHARE = Pattern.compile("(\\S+) of capacity");
    private static final Pattern KNATIVE = Pattern.compile("[^/{]*[:,][^/{]*");

    private static final Pattern STAGE = Pattern.compile("([0-9]{1,18})(?::([0-9]{1,9}))?");
    private static final Pattern STEP = Pattern.compile("(.+?)(?: to (.+?) by (.+?))? for (.+)");
    private static final Pattern BURST = Pattern.compile("(\\S+) every (.+)");
    private static final Duration KNATIVE_LENGTH = Duration.ofSeconds(10);
    private static final int MOST_STEPS = 1_000;
    private static final int LONGEST_STEP = 200;

    private PaceSyntax() {}

    /** Reads {@code max}, {@code 64 at a time}, {@code 50k/s}, {@code 50% of capacity} or {@code 1000:30,1100:30}. */
    public static RateSpec pace(String text) {
        if (text.equals("max")) {
            return new RateSpec.Max();
        }
        Matcher loop = LOOP.matcher(text);
        if (loop.matches()) {
            return new RateSpec.AtATime(loop.group(1).equals("one") ? 1 : Integer.parseInt(loop.group(1)));
        }
        Matcher share = SHARE.matcher(text);
        if (share.matches()) {
            RateSpec.OfCapacity part = new RateSpec.OfCapacity(Units.percent(share.group(1)));
            if (part.share().share() == 0) {
                throw new IllegalArgumentException("'" + text + "' sends nothing; write a rate above 0");
            }
            return part;
        }
        if (KNATIVE.matcher(text).matches()) {
            return new RateSpec.Steps(knative(text), Duration.ZERO, false);
        }
        if ((text.indexOf(' ') > 0 && !text.endsWith(PER_PRODUCER)) || !text.matches("[0-9].*")) {
            throw Units.unreadable(text, "a rate", "max, one at a time, 50k/s, 350/s per producer or 50% of capacity");
        }
        return new RateSpec.Fixed(rate(text), perProducer(text));
    }

    /** Reads {@code 1000/s for 30s}, or a staircase such as {@code 200/s to 1800/s by 200/s for 60s}. */
    public static List<RateSpec.Step> steps(String text) {
        Matcher m = STEP.matcher(text);
        if (text.length() > LONGEST_STEP || !m.matches()) {
            throw Units.unreadable(text, "a step", "1000/s for 30s or 200/s to 1800/s by 200/s for 60s");
        }
        Duration length = positive(m.group(4));
        Rate first = rate(m.group(1));
        if (m.group(2) == null) {
            return List.of(new RateSpec.Step(first, perProducer(m.group(1)), length));
        }
        Rate last = rate(m.group(2));
        Rate by = rate(m.group(3));
        if (first.unit() != last.unit() || first.unit() != by.unit()) {
            throw new IllegalArgumentException("'" + text + "' mixes bytes and operations; use one unit");
        }
        double gap = last.perSecond() - first.perSecond();
        if (by.perSecond() == 0 || Math.abs(gap) / by.perSecond() >= MOST_STEPS) {
            throw new IllegalArgumentException("must be at most " + MOST_STEPS + " steps, found '" + text + "'");
        }
        boolean perProducer = perProducer(m.group(1)) || perProducer(m.group(2)) || perProducer(m.group(3));
        List<RateSpec.Step> steps = new ArrayList<>();
        // The tiny surplus keeps the last step if the division has a rounding error.
        long count = (long) (Math.abs(gap) / by.perSecond() + 1e-9);
        for (long i = 0; i <= count; i++) {
            double rate = first.perSecond() + Math.signum(gap) * i * by.perSecond();
            steps.add(new RateSpec.Step(new Rate(rate, first.unit()), perProducer, length));
        }
        return steps;
    }

    /** Reads {@code 1000 every 10s}. */
    public static RateSpec.Burst burst(String text) {
        Matcher m = BURST.matcher(text);
        if (!m.matches()) {
            throw Units.unreadable(text, "a burst", "1000 every 10s");
        }
        long operations = Units.records(m.group(1));
        if (operations == 0) {
            throw new IllegalArgumentException(
                    "must be at least 1 operation, found '" + text + "'; write it like 1000 every 10s");
        }
        Duration every = positive(m.group(2));
        if (operations * 1e9 / every.toNanos() > Rate.MOST_OPERATIONS) {
            throw new IllegalArgumentException("must be at most 1G/s, found '" + text + "'");
        }
        return new RateSpec.Burst(operations, every);
    }

    private static List<RateSpec.Step> knative(String text) {
        List<RateSpec.Step> steps = new ArrayList<>();
        for (String stage : text.split(", ?", -1)) {
            Matcher m = STAGE.matcher(stage);
            if (!m.matches()) {
                throw new IllegalArgumentException("'" + Problem.beginning(stage)
                        + "' is not a stage; write stages as rate per second and seconds, such as 1000:30,1100:30");
            }
            if (Long.parseLong(m.group(1)) == 0) {
                throw new IllegalArgumentException(
                        "'" + stage + "' sends nothing; for pauses between rates, write { steps: […], rest: 5s }");
            }
            Duration length = m.group(2) == null ? KNATIVE_LENGTH : positive(m.group(2) + "s");
            steps.add(new RateSpec.Step(Units.rate(m.group(1) + "/s"), false, length));
        }
        if (steps.size() > MOST_STEPS) {
            throw new IllegalArgumentException("must be at most " + MOST_STEPS + " steps");
        }
        return steps;
    }

    private static boolean perProducer(String text) {
        return text.endsWith(PER_PRODUCER);
    }

    private static Rate rate(String text) {
        return Units.rate(perProducer(text) ? text.substring(0, text.length() - PER_PRODUCER.length()) : text);
    }

    private static Duration positive(String text) {
        Duration length = Units.duration(text);
        if (length.isZero()) {
            throw new IllegalArgumentException("must be at least 1ns, found '" + text + "'");
        }
        return length;
    }
}

package weir.feature.live;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import weir.plan.trial.Estimate;
import weir.plan.trial.Trial;
import weir.report.block.ChartJson;
import weir.results.value.Attempt;
import weir.results.value.Caveat;
import weir.results.value.NumberFormat;

/** The progress of a run: the trial, the phase and its time, and the latest news. Safe for many threads. */
final class RunStatus {
    private static final int NEWS = 6;

    private final LongSupplier nanos;
    private final Deque<String> news = new ArrayDeque<>();
    private Duration estimated = Duration.ZERO;
    private long began;
    private String trial = "";
    private String phase = "preparing";
    private Duration expected = Duration.ZERO;
    private long phaseBegan;
    private String over = "";
    private long changes;

    RunStatus(LongSupplier nanos) {
        this.nanos = nanos;
        phaseBegan = nanos.getAsLong();
    }

    synchronized void started(Estimate estimate) {
        changes++;
        estimated = estimate.time();
        began = nanos.getAsLong();
        addEvent((estimate.trials() == 0
                        ? "search"
                        : estimate.trials() + (estimate.trials() == 1 ? " trial" : " trials"))
                + ", about " + seconds(estimate.time()));
    }

    synchronized void trial(Trial next, int of) {
        changes++;
        String repeat = next.variant().repeat() > 1 ? ", repeat " + next.repeat() : "";
        if (!next.searches()) {
            trial = (next.profiled()
                            ? "profile " + next.number()
                            : "trial " + next.number() + (of > 0 ? " of " + of : ""))
                    + ", "
                    + next.variant().name() + repeat;
        }
        phase("preparing", Duration.ZERO);
    }

    synchronized void warmsUp(Trial next, double rate) {
        changes++;
        trial = "search for " + next.variant().name();
        addEvent((next.variant().during().isEmpty() ? "warming up" : "operations")
                + (rate > 0 ? " at " + NumberFormat.rate(rate) : " at full speed"));
    }

    synchronized void tries(Trial next, double rate, String why) {
        changes++;
        trial = "search for " + next.variant().name() + ", "
                + (rate > 0 ? "trying " + NumberFormat.rate(rate) : "at full speed");
        if (!why.isEmpty()) {
            addEvent(why);
        }
    }

    synchronized void tried(Attempt tried) {
        String how = tried.outcome() == Attempt.Outcome.OURS
                ? "the generator was the limit"
                : tried.outcome().name().toLowerCase(Locale.ROOT);
        addEvent(NumberFormat.rate(tried.rate()) + ": " + how + (tried.why().isEmpty() ? "" : ", " + tried.why()));
    }

    synchronized void phase(String next, Duration lasts) {
        changes++;
        phase = next;
        expected = lasts;
        phaseBegan = nanos.getAsLong();
    }

    synchronized void caveat(Caveat caveat) {
        addEvent(caveat.level().name().toLowerCase(Locale.ROOT) + ": " + caveat.type() + ": " + caveat.evidence());
    }

    synchronized void addEvent(String text) {
        changes++;
        text.lines().limit(1).forEach(line -> {
            // A trial repeats the caveats of the trial before it.
            news.remove(line);
            news.addFirst(line);
        });
        while (news.size() > NEWS) {
            news.removeLast();
        }
    }

    synchronized void over(String text) {
        over = text;
        changes++;
    }

    synchronized String status() {
        if (!over.isEmpty()) {
            return over;
        }
        return (trial.isEmpty() ? "" : trial + ": ") + phase;
    }

    synchronized List<String> latest() {
        return List.copyOf(news);
    }

    synchronized double elapsed() {
        return Math.max(0, (nanos.getAsLong() - phaseBegan) / 1e9);
    }

    synchronized double expected() {
        return over.isEmpty() ? expected.toMillis() / 1e3 : 0;
    }

    synchronized double left() {
        double gone = (nanos.getAsLong() - began) / 1e9;
        return isOver() ? 0 : Math.max(0, estimated.toMillis() / 1e3 - gone);
    }

    synchronized String time() {
        long elapsed = (long) elapsed();
        long expected = (long) expected();
        long minutes = Math.round(left() / 60);
        return isOver()
                ? ""
                : (expected > 0 ? elapsed + " of " + expected + " s" : elapsed + " s")
                        + (minutes > 0 ? ", about " + minutes + " min left" : "");
    }

    synchronized long changes() {
        return changes;
    }

    synchronized boolean isOver() {
        return !over.isEmpty();
    }

    synchronized String json() {
        ChartJson json = new ChartJson().object();
        json.name("number").value(changes);
        json.name("status").value(status()).name("over").value(isOver());
        json.name("elapsed").time(elapsed()).name("expected").time(expected());
        json.name("left").time(left());
        json.name("news").array();
        news.forEach(json::value);
        return json.end().end().toString();
    }

    private static String seconds(Duration time) {
        long seconds = time.toSeconds();
        return seconds < 120 ? seconds + " s" : (seconds + 30) / 60 + " min";
    }
}

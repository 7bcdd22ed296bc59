package weir.cli.terminal;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import weir.feature.Features;
import weir.judge.FailedOperations;
import weir.measure.Count;
import weir.measure.Steps;
import weir.plan.trial.Estimate;
import weir.plan.trial.Trial;
import weir.results.RunResult;
import weir.results.WindowRow;
import weir.results.value.Attempt;
import weir.results.value.Caveat;
import weir.results.value.Figures;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;
import weir.run.RunListener;

/** A display of the progress of a run: changing lines on a terminal, an occasional line elsewhere. */
public final class RunProgress implements RunListener, AutoCloseable {
    private static final int BAR = 30;
    private static final int HISTORY = 40;
    private static final double PLAIN_SECONDS = 10;
    private static final String LEVELS = "▁▂▃▄▅▆▇█";

    private final LineOutput lines;
    private final LongSupplier nanos;
    private final Supplier<String> keyboard;
    private final Deque<WindowRow> recent = new ArrayDeque<>();
    private String trial = "";
    private boolean searching;
    private boolean fast;

    private String phase = "preparing";
    private Duration expected = Duration.ZERO;
    private long phaseBegan;
    private boolean over;
    private double printedAt = Double.NEGATIVE_INFINITY;
    private double latest = Double.NEGATIVE_INFINITY;

    public RunProgress(LineOutput lines, LongSupplier nanos, Supplier<String> keyboard) {
        this.lines = lines;
        this.nanos = nanos;
        this.keyboard = keyboard;
        phaseBegan = nanos.getAsLong();
    }

    @Override
    public boolean agrees(String question) {
        lines.show(List.of());
        plain(question + " [y/N]");
        return keyboard.get().strip().toLowerCase(Locale.ROOT).matches("y|yes");
    }

    @Override
    public synchronized void started(Path folder, Estimate estimate) {
        plain((estimate.trials() == 0 ? "a search" : HumanAmount.count(estimate.trials(), "trial")) + ", about "
                + HumanAmount.time(estimate.time())
                + (estimate.bounded() ? ", at most " + HumanAmount.bytes(estimate.bytes()) + " written" : "")
                + "; "
                + folder);
        draw();
    }

    @Override
    public synchronized void trial(Trial next, int of) {
        searching = next.searches();
        if (!searching) {
            trial = (next.profiled() ? "profile " + next.number() : "trial " + next.number() + "/" + of) + " "
                    + next.variant().name()
                    + (next.variant().repeat() > 1 ? " #" + next.repeat() : "");
        }
        latest = Double.NEGATIVE_INFINITY;
        begin("cluster", Duration.ZERO);
        if (!lines.live() && !searching) {
            plain(trial);
        }
    }

    @Override
    public synchronized void warmsUp(Trial next, double rate) {
        String why = next.variant().during().isEmpty() ? " (warm-up)" : " (operations)";
        trial = "search, " + next.variant().name() + " " + at(rate) + why;
        if (!lines.live()) {
            plain(trial);
        }
    }

    private static String named(Trial next) {
        return Features.search(next.search())
                .map(kind -> kind.named(next))
                .orElse(next.variant().name());
    }

    private static String at(double rate) {
        return Double.isInfinite(rate) ? "at maximum rate" : "at " + NumberFormat.rate(rate);
    }

    @Override
    public synchronized void tries(Trial next, double rate, String why) {
        fast = Double.isInfinite(rate);
        trial = String.format(Locale.ROOT, "search %d, %s %s (%s)", next.number(), named(next), at(rate), why);
    }

    @Override
    public synchronized void tried(Trial of, Attempt tried) {
        boolean sustained = tried.outcome() == Attempt.Outcome.SUSTAINED;
        String refused = tried.outcome() == Attempt.Outcome.DISTURBED ? "repeated: " : "refused: ";
        lines.keep(
                sustained ? LineOutput.Tone.GOOD : LineOutput.Tone.PLAIN,
                String.format(
                        Locale.ROOT,
                        "%02d %s  %10s  %s",
                        tried.trial(),
                        named(of),
                        NumberFormat.rate(tried.rate()),
                        sustained ? outcome(tried) : refused + tried.why()));
        recent.clear();
    }

    private String outcome(Attempt tried) {
        return !tried.why().isEmpty() ? tried.why() : fast ? "at maximum rate" : "sustained";
    }

    @Override
    public synchronized void phase(Trial of, String name, Duration expectedTime) {
        begin(name, expectedTime);
        if (!lines.live() && !searching) {
            plain("  " + name + (expectedTime.isZero() ? "" : ", about " + HumanAmount.time(expectedTime)));
        }
    }

    @Override
    public synchronized void window(Trial of, WindowRow row) {
        if (!belongs(row)) {
            return;
        }
        latest = row.second();
        recent.addLast(row);
        if (recent.size() > HISTORY) {
            recent.removeFirst();
        }
        if (lines.live()) {
            draw();
        } else if (!searching && row.second() - printedAt >= PLAIN_SECONDS) {
            printedAt = row.second();
            plain(String.format(Locale.ROOT, "  %4.0f s  %s", row.second(), text(row)));
        }
    }

    private boolean belongs(WindowRow row) {
        int step = row.step();
        boolean ofPhase = switch (phase) {
            case "fill" -> step == Steps.FILL;
            case "warm-up" -> step == Steps.WARMUP;
            case "measure" -> step != Steps.FILL && step != Steps.WARMUP;
            default -> step == WindowRow.NO_STEP;
        };
        return ofPhase && row.second() > latest;
    }

    @Override
    public void note(String text) {
        lines.keep(LineOutput.Tone.QUIET, "  " + text);
    }

    @Override
    public void caveat(Caveat caveat) {
        LineOutput.Tone tone = switch (caveat.level()) {
            case NOTE -> LineOutput.Tone.QUIET;
            case DOUBT -> LineOutput.Tone.DOUBT;
            case INVALID -> LineOutput.Tone.BAD;
        };
        String level = caveat.level().name().toLowerCase(Locale.ROOT);
        lines.keep(tone, "  " + level + ": " + caveat.type() + ": " + caveat.evidence());
    }

    @Override
    public synchronized void trialDone(TrialResult result) {
        Figures figures = result.figures();
        List<String> parts = new ArrayList<>();
        add(parts, "acked ", NumberFormat.rate(figures.ackedPerSecond()));
        add(parts, "received ", NumberFormat.rate(figures.receivedPerSecond()));
        add(parts, "response p50 ", NumberFormat.latency(figures.response(), 50));
        add(parts, "p99 ", NumberFormat.latency(figures.response(), 99));
        add(parts, "e2e p99 ", NumberFormat.latency(figures.e2e(), 99));
        add(parts, "failed ", NumberFormat.count(figures.count(Count.FAILED)));
        add(parts, "lost ", NumberFormat.count(figures.count(Count.LOST)));
        Long lost = figures.count(Count.LOST);
        lines.keep(
                lost != null && lost > 0 ? LineOutput.Tone.BAD : LineOutput.Tone.GOOD,
                String.format(Locale.ROOT, "%02d %s  %s", result.trial(), result.variant(), String.join(", ", parts)));
        String reasons = FailedOperations.reasons(result);
        if (!reasons.isEmpty()) {
            lines.keep(LineOutput.Tone.BAD, "  failed with " + reasons);
        }
        recent.clear();
    }

    public synchronized void tick() {
        if (lines.live()) {
            draw();
        }
    }

    @Override
    public synchronized void done(RunResult result) {
        over = true;
        lines.show(List.of());
    }

    @Override
    public synchronized void close() {
        over = true;
        lines.close();
    }

    private void plain(String text) {
        lines.keep(LineOutput.Tone.PLAIN, text);
    }

    private void begin(String name, Duration time) {
        phase = name;
        expected = time;
        phaseBegan = nanos.getAsLong();
        printedAt = Double.NEGATIVE_INFINITY;
        draw();
    }

    private void draw() {
        if (over) {
            return;
        }
        double elapsed = (nanos.getAsLong() - phaseBegan) / 1e9;
        List<String> shown = new ArrayList<>();
        shown.add((trial.isEmpty() ? "" : trial + " · ") + phase + " " + bar(elapsed));
        if (!recent.isEmpty()) {
            shown.add("  " + text(recent.getLast()));
            boolean reads = recent.stream().allMatch(row -> row.sent() == 0 && row.acked() == 0);
            shown.add((reads ? "  received/s " : "  acked/s ")
                    + spark(recent.stream()
                            .mapToDouble(row -> reads ? row.received() / row.seconds() : acked(row))
                            .toArray())
                    + "  p99 "
                    + spark(recent.stream()
                            .mapToDouble(row -> row.response().p99())
                            .toArray()));
        }
        lines.show(shown);
    }

    private String bar(double elapsed) {
        double whole = expected.toMillis() / 1e3;
        if (whole <= 0) {
            return HumanAmount.time(Duration.ofMillis((long) (elapsed * 1e3)));
        }
        int full = (int) Math.min(BAR, BAR * elapsed / whole);
        return "━".repeat(full)
                + "─".repeat(BAR - full)
                + String.format(Locale.ROOT, " %.0f of %s", elapsed, HumanAmount.time(expected));
    }

    private static double acked(WindowRow row) {
        return row.acked() / row.seconds();
    }

    private static String text(WindowRow row) {
        List<String> parts = new ArrayList<>();
        if (row.due() > 0) {
            parts.add("due " + NumberFormat.rate(row.due() / row.seconds()));
        }
        if (row.sent() > 0 || row.acked() > 0) {
            parts.add("acked " + NumberFormat.rate(acked(row)));
        }
        if (row.received() > 0) {
            parts.add("received " + NumberFormat.rate(row.received() / row.seconds()));
        }
        WindowRow.Spread response = row.response();
        if (!Double.isNaN(response.p50())) {
            parts.add("p50 " + (response.atLeastBeyond() < 50 ? "≥ " : "") + NumberFormat.millis(response.p50())
                    + ", p99 " + (response.atLeastBeyond() < 99 ? "≥ " : "") + NumberFormat.millis(response.p99()));
        }
        if (row.failed() > 0) {
            parts.add("failed " + NumberFormat.count(row.failed()));
        }
        if (row.lag() > 0) {
            parts.add("lag " + NumberFormat.number(row.lag()));
        }
        return parts.isEmpty() ? "idle" : String.join(", ", parts);
    }

    static String spark(double[] values) {
        double highest = 0;
        for (double value : values) {
            highest = Double.isNaN(value) ? highest : Math.max(highest, value);
        }
        StringBuilder text = new StringBuilder();
        for (double value : values) {
            int level = highest == 0 ? 0 : (int) Math.round(value / highest * (LEVELS.length() - 1));
            text.append(Double.isNaN(value) ? ' ' : LEVELS.charAt(level));
        }
        return text.toString();
    }

    private static void add(List<String> parts, String what, String figure) {
        if (!figure.equals(NumberFormat.MISSING)) {
            parts.add(what + figure);
        }
    }
}

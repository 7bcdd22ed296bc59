package weir.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import weir.plan.Estimate;
import weir.plan.Trial;
import weir.results.Caveat;
import weir.results.Figures;
import weir.results.Row;
import weir.results.RunResult;
import weir.results.TrialResult;
import weir.results.Tried;
import weir.results.Written;
import weir.run.RunListener;

/** Tells how a run goes: on a screen as it happens, elsewhere in a line now and then. */
final class RunProgress implements RunListener, AutoCloseable {
    private static final int BAR = 30;
    private static final int HISTORY = 40;
    private static final double PLAIN_SECONDS = 10;
    private static final String LEVELS = "▁▂▃▄▅▆▇█";

    private final Lines lines;
    private final LongSupplier nanos;
    private final Supplier<String> keyboard;
    private final Deque<Row> recent = new ArrayDeque<>();
    private String trial = "";
    private boolean searching;
    private String phase = "preparing";
    private Duration expected = Duration.ZERO;
    private long phaseBegan;
    private boolean over;
    private double toldAt = Double.NEGATIVE_INFINITY;

    /** The keyboard gives the line that the user types, an empty one when there is no user. */
    RunProgress(Lines lines, LongSupplier nanos, Supplier<String> keyboard) {
        this.lines = lines;
        this.nanos = nanos;
        this.keyboard = keyboard;
        phaseBegan = nanos.getAsLong();
    }

    @Override
    public boolean agrees(String question) {
        lines.show(List.of());
        lines.keep(Lines.Tone.PLAIN, question + " [y/N]");
        return keyboard.get().strip().toLowerCase(Locale.ROOT).matches("y|yes");
    }

    @Override
    public synchronized void started(Path folder, Estimate estimate) {
        lines.keep(
                Lines.Tone.PLAIN,
                (estimate.trials() == 0 ? "a search" : Amount.count(estimate.trials(), "trial")) + ", about "
                        + Amount.time(estimate.time())
                        + (estimate.bounded() ? ", at most " + Amount.bytes(estimate.bytes()) + " written" : "") + "; "
                        + folder);
        draw();
    }

    @Override
    public synchronized void trial(Trial next, int of) {
        searching = next.searches();
        if (!searching) {
            trial = "trial " + next.number() + "/" + of + " " + next.variant().name()
                    + (next.variant().repeat() > 1 ? " #" + next.repeat() : "");
        }
        begin("cluster", Duration.ZERO);
        if (!lines.live() && !searching) {
            lines.keep(Lines.Tone.PLAIN, trial);
        }
    }

    @Override
    public synchronized void heats(Trial next, double rate) {
        String at = Double.isInfinite(rate) ? "as fast as it goes" : "at " + Written.rate(rate);
        trial = "search, " + next.variant().name() + " " + at + " (so that nothing is cold)";
        if (!lines.live()) {
            lines.keep(Lines.Tone.PLAIN, trial);
        }
    }

    @Override
    public synchronized void tries(Trial next, double rate, String why) {
        trial = String.format(
                Locale.ROOT,
                "search %d, %s at %s (%s)",
                next.number(),
                next.variant().name(),
                Written.rate(rate),
                why);
    }

    @Override
    public synchronized void tried(Trial of, Tried tried) {
        boolean held = tried.outcome() == Tried.Outcome.HELD;
        lines.keep(
                held ? Lines.Tone.GOOD : Lines.Tone.PLAIN,
                String.format(
                        Locale.ROOT,
                        "%02d %s  %10s  %s",
                        tried.trial(),
                        of.variant().name(),
                        Written.rate(tried.rate()),
                        held ? "held" : "refused: " + tried.why()));
        recent.clear();
    }

    @Override
    public synchronized void phase(Trial of, String name, Duration expectedTime) {
        begin(name, expectedTime);
        if (!lines.live() && !searching) {
            lines.keep(
                    Lines.Tone.PLAIN,
                    "  " + name + (expectedTime.isZero() ? "" : ", about " + Amount.time(expectedTime)));
        }
    }

    @Override
    public synchronized void window(Trial of, Row row) {
        recent.addLast(row);
        if (recent.size() > HISTORY) {
            recent.removeFirst();
        }
        if (lines.live()) {
            draw();
        } else if (!searching && row.second() - toldAt >= PLAIN_SECONDS) {
            toldAt = row.second();
            lines.keep(Lines.Tone.PLAIN, String.format(Locale.ROOT, "  %4.0f s  %s", row.second(), text(row)));
        }
    }

    @Override
    public void note(String text) {
        lines.keep(Lines.Tone.QUIET, "  " + text);
    }

    @Override
    public void caveat(Caveat caveat) {
        Lines.Tone tone = switch (caveat.level()) {
            case NOTE -> Lines.Tone.QUIET;
            case DOUBT -> Lines.Tone.DOUBT;
            case INVALID -> Lines.Tone.BAD;
        };
        String level = caveat.level().name().toLowerCase(Locale.ROOT);
        lines.keep(tone, "  " + level + ": " + caveat.type() + ": " + caveat.evidence());
    }

    @Override
    public synchronized void trialDone(TrialResult result) {
        Figures figures = result.figures();
        List<String> said = new ArrayList<>();
        add(said, "acked ", Written.rate(figures.ackedPerSecond()));
        add(said, "received ", Written.rate(figures.receivedPerSecond()));
        add(said, "response p50 ", Written.latency(figures.response(), 50));
        add(said, "p99 ", Written.latency(figures.response(), 99));
        add(said, "e2e p99 ", Written.latency(figures.e2e(), 99));
        add(said, "failed ", Written.count(figures.failed()));
        add(said, "lost ", Written.count(figures.lost()));
        Long lost = figures.lost();
        lines.keep(
                lost != null && lost > 0 ? Lines.Tone.BAD : Lines.Tone.GOOD,
                String.format(Locale.ROOT, "%02d %s  %s", result.trial(), result.variant(), String.join(", ", said)));
        recent.clear();
    }

    /** Draws again, so that a screen shows that time goes on when nothing else happens. */
    synchronized void tick() {
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

    private void begin(String name, Duration time) {
        phase = name;
        expected = time;
        phaseBegan = nanos.getAsLong();
        toldAt = Double.NEGATIVE_INFINITY;
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
            shown.add("  acked/s "
                    + spark(recent.stream().mapToDouble(RunProgress::acked).toArray()) + "  p99 "
                    + spark(recent.stream()
                            .mapToDouble(row -> row.response().p99())
                            .toArray()));
        }
        lines.show(shown);
    }

    private String bar(double elapsed) {
        double whole = expected.toMillis() / 1e3;
        if (whole <= 0) {
            return Amount.time(Duration.ofMillis((long) (elapsed * 1e3)));
        }
        int full = (int) Math.min(BAR, BAR * elapsed / whole);
        return "━".repeat(full)
                + "─".repeat(BAR - full)
                + String.format(Locale.ROOT, " %.0f of %s", elapsed, Amount.time(expected));
    }

    private static double acked(Row row) {
        return row.acked() / row.seconds();
    }

    private static String text(Row row) {
        List<String> said = new ArrayList<>();
        if (row.due() > 0) {
            said.add("due " + Written.rate(row.due() / row.seconds()));
        }
        if (row.sent() > 0 || row.acked() > 0) {
            said.add("acked " + Written.rate(acked(row)));
        }
        if (row.received() > 0) {
            said.add("received " + Written.rate(row.received() / row.seconds()));
        }
        Row.Spread response = row.response();
        if (!Double.isNaN(response.p50())) {
            said.add("p50 " + Written.millis(response.p50()) + ", p99 " + Written.millis(response.p99()));
        }
        if (row.failed() > 0) {
            said.add("failed " + Written.count(row.failed()));
        }
        if (row.lag() > 0) {
            said.add("lag " + Written.number(row.lag()));
        }
        return said.isEmpty() ? "idle" : String.join(", ", said);
    }

    /** Heights between zero and the highest; a missing value is a gap. */
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

    private static void add(List<String> said, String what, String figure) {
        if (!figure.equals(Written.MISSING)) {
            said.add(what + figure);
        }
    }
}

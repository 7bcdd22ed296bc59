package weir.live.page;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import weir.live.EventStream;
import weir.live.LiveAnswer;
import weir.live.LiveHandler;
import weir.live.LiveRequest;
import weir.measure.ProbeMetric;
import weir.plan.trial.Demand;
import weir.plan.trial.Estimate;
import weir.plan.trial.Trial;
import weir.report.HtmlReport;
import weir.report.Page;
import weir.report.RunView;
import weir.report.TrialView;
import weir.report.chart.Html;
import weir.report.live.SecondJson;
import weir.results.ProbeReading;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.TrialFolder;
import weir.results.UnreadableRunException;
import weir.results.WindowRow;
import weir.results.value.Attempt;
import weir.results.value.Caveat;
import weir.results.value.TrialResult;
import weir.run.RunListener;

/**
 * The page of a run: the report of what its folder has so far, made again now and then, and in between each second and each
 * piece of news as an event. It hears the run, and lets nobody wait: seconds are told as they come, and reports are made by
 * {@link #render}, which a thread of its own calls.
 */
public final class RunPage implements RunListener, AutoCloseable {
    /** The name of the header that brings the page's token. */
    static final String STOP_TOKEN = "x-weir-stop";

    private static final String HTML = "text/html; charset=utf-8";
    private static final int KEPT_EVENTS = 1 << 20;
    /** Readings of windows that are not over: those of some seconds of a large cluster. */
    private static final int MOST_READINGS = 50_000;

    private static final double OPEN_SECONDS = 10;
    /** Readings that finished trials may keep in memory, all together; those of others are read again each time. */
    private static final int MOST_KEPT = 400_000;

    /** How many times smaller a report is when it is packed. */
    private static final int PACKED = 4;

    /** Times in a row after which it is no trial that came to its end meanwhile. */
    private static final int UNREAD = 2;

    private static final Duration LAST = Duration.ofSeconds(3);
    private static final long SHORTLY = 100;
    /** A page without scripts asks again each ten seconds; one that has not for so long is closed. */
    private static final Duration PLAIN = Duration.ofSeconds(30);

    private static final Duration REFRESHED = Duration.ofSeconds(11);
    private static final Duration SEVERAL = Duration.ofMillis(500);
    private static final Logger LOG = LoggerFactory.getLogger(RunPage.class);

    private final EventStream events = new EventStream(KEPT_EVENTS);
    private final RunPlace place;
    private final KeptAnswers answers;
    private final RenderPacing pacing = new RenderPacing();
    private final LongSupplier nanos;
    private final Runnable stop;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final String token = randomToken();
    private final String id = randomToken();
    private final ArrayDeque<ProbeReading> readings = new ArrayDeque<>();
    private final Map<Path, TrialView> finished = new HashMap<>();
    private volatile RenderedReport rendered;
    private volatile List<ProbeMetric> drawn = List.of();
    private volatile @Nullable Path folder;
    private volatile @Nullable Trial running;
    private int kept;
    private int unread;
    private boolean wanted;
    private boolean urgent;
    private boolean lost;
    private boolean plain;
    private long plainAt;
    private boolean plainHasLast;
    private boolean listened;
    private long listenedAt;
    private boolean closed;
    private boolean ended;
    private long taken;
    private long takenAt;

    /**
     * A page of a run that has not begun.
     *
     * @param nanos the clock
     * @param stop does what Ctrl-C does
     */
    public RunPage(LongSupplier nanos, Runnable stop) {
        this.nanos = nanos;
        this.stop = stop;
        place = new RunPlace(nanos);
        answers = new KeptAnswers(nanos, HTML);
        Html header = new Html()
                .open("header", "id", Page.ANSWER)
                .element("h1", "Nothing is measured yet")
                .close();
        rendered = RenderedReport.none("A run · Weir", header, "Made by Weir while the run goes on");
    }

    private static String randomToken() {
        byte[] bytes = new byte[18];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().encodeToString(bytes);
    }

    /** The answers of a server, by path. */
    public Map<String, LiveHandler> paths() {
        return Map.of(
                "/", this::page,
                "/parts", this::parts,
                "/events", this::listen,
                "/stop", this::stop);
    }

    /** The streams among them. */
    public List<EventStream> streams() {
        return List.of(events);
    }

    private LiveAnswer page(LiveRequest request) {
        boolean last = place.isOver();
        synchronized (this) {
            plain = true;
            plainAt = nanos.getAsLong();
            plainHasLast = last;
        }
        want(false);
        RenderedReport now = rendered;
        return answer(
                "/",
                now,
                last,
                () -> Page.live(now.contents(), aside(now), resource("live.css"), resource("live.js"), !last));
    }

    /** An answer that is made once for all who ask, and charged to what the page may cost. */
    private LiveAnswer answer(String key, RenderedReport now, boolean last, Supplier<String> html) {
        return answers.get(key, now.version() + (last ? " last" : ""), html, (at, took) -> {
            synchronized (this) {
                pacing.spent(at, took);
            }
        });
    }

    private static String resource(String name) {
        return Page.resource("/weir/live/page/" + name);
    }

    private LiveAnswer parts(LiveRequest request) {
        RenderedReport now = rendered;
        synchronized (this) {
            taken = now.version();
            takenAt = nanos.getAsLong();
            notifyAll();
        }
        long since = ofThisRun(request) ? number(request.query().getOrDefault("since", "0")) : 0;
        long has = since > now.version() ? 0 : Math.max(0, since);
        return answer("/parts " + has, now, place.isOver(), () -> parts(now, has));
    }

    private String parts(RenderedReport now, long has) {
        Html html = new Html();
        html.open("html").open("head").element("title", now.contents().title()).close();
        html.open("body");
        html.add(aside(now))
                .add(Page.contents(now.contents().parts()))
                .add(Page.main(now.contents(), now.keptSince(has)));
        return html.close().close().toString();
    }

    private LiveAnswer listen(LiveRequest request) {
        String last = request.header("last-event-id");
        String asked = last.isEmpty() ? request.query().getOrDefault("after", "0") : last;
        long after = ofThisRun(request) ? number(asked) : -1;
        synchronized (this) {
            // A page with scripts is one that listens.
            plain = false;
            lost |= !events.has(after);
        }
        want(false);
        return new LiveAnswer.Events(events, after);
    }

    /** False for a page that was left open when another run was served here. */
    private boolean ofThisRun(LiveRequest request) {
        return request.query().getOrDefault("run", id).equals(id);
    }

    /** A number of ours; anything else is none that was ever given. */
    private static long number(String text) {
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    }

    private LiveAnswer stop(LiveRequest request) {
        if (!request.method().equals("POST")) {
            return LiveAnswer.line(405, "the run is stopped by POST");
        }
        if (!request.sameOrigin() || !isToken(request.header(STOP_TOKEN))) {
            return LiveAnswer.line(403, "only the page of this run stops it");
        }
        if (!place.isOver() && stopping.compareAndSet(false, true)) {
            news("stopped from the page: what was measured is kept");
            stop.run();
        }
        return LiveAnswer.line(202, "the run comes to its end");
    }

    private boolean isToken(String given) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    private Html aside(RenderedReport now) {
        Html html = new Html();
        html.open(
                "aside",
                "id",
                "live",
                "aria-label",
                "This run",
                "data-run",
                id,
                "data-trial",
                String.valueOf(now.trial()),
                "data-version",
                String.valueOf(now.version()),
                "data-event",
                String.valueOf(now.event()));
        html.open("div", "class", "now");
        html.element("p", place.status(), "id", "live-status", "role", "status");
        html.element("p", time(), "id", "live-time", "role", "timer", "aria-live", "off");
        if (!place.isOver()) {
            html.element("button", "Stop", "type", "button", "id", "live-stop", "data-token", token);
        }
        html.close();
        html.element(
                "progress", "", "id", "live-progress", "aria-label", "Time of this phase", "max", "1", "value", "0");
        html.open("ul", "id", "live-news", "aria-label", "News", "role", "log");
        place.latest().forEach(line -> html.element("li", line));
        html.close();
        html.element("p", "", "id", "live-link", "role", "status");
        html.verbatim("script", place.json(), "type", "application/json", "id", "live-state");
        return html.close();
    }

    private String time() {
        long elapsed = (long) place.elapsed();
        long expected = (long) place.expected();
        long left = Math.round(place.left() / 60);
        return place.isOver()
                ? ""
                : (expected > 0 ? elapsed + " of " + expected + " s" : elapsed + " s")
                        + (left > 0 ? ", about " + left + " min left" : "");
    }

    @Override
    public boolean agrees(String question) {
        return false;
    }

    @Override
    public void started(Path path, Estimate estimate) {
        place.started(estimate);
        drawn = RunFolder.open(path).drawn();
        folder = path;
        tell(true);
    }

    @Override
    public void trial(Trial trial, int of) {
        synchronized (readings) {
            readings.clear();
        }
        // Nothing of a profiled trial is measured.
        running = trial.profiled() ? null : trial;
        place.trial(trial, of);
        tell(true);
    }

    @Override
    public void heats(Trial trial, double rate) {
        place.heats(trial, rate);
        tell(false);
    }

    @Override
    public void tries(Trial trial, double rate, String why) {
        place.tries(trial, rate, why);
        tell(false);
    }

    @Override
    public void tried(Trial trial, Attempt tried) {
        place.tried(tried);
        tell(true);
    }

    @Override
    public void phase(Trial trial, String phase, Duration expected) {
        boolean told = !phase.equals("measure") || !expected.isZero();
        place.phase(phase, told ? expected : Demand.length(trial.variant()));
        tell(true);
    }

    @Override
    public void window(Trial trial, WindowRow row) {
        if (trial.profiled()) {
            return;
        }
        List<ProbeReading> own;
        synchronized (readings) {
            own = readings.stream()
                    .filter(reading -> (int) reading.second() == (int) row.second())
                    .toList();
            readings.removeIf(reading -> reading.second() < row.second() - OPEN_SECONDS);
        }
        String label = TrialView.label(trial.variant().name(), trial.repeat(), false);
        events.publish("second", SecondJson.of(trial.number(), label, row, own, drawn));
        want(false);
    }

    @Override
    public void reading(Trial trial, ProbeReading reading) {
        if (trial.profiled()) {
            return;
        }
        synchronized (readings) {
            readings.addLast(reading);
            if (readings.size() > MOST_READINGS) {
                readings.removeFirst();
            }
        }
    }

    @Override
    public void note(String text) {
        news(text);
    }

    @Override
    public void caveat(Caveat caveat) {
        place.caveat(caveat);
        tell(true);
    }

    @Override
    public void trialDone(TrialResult result) {
        running = null;
        tell(true);
    }

    @Override
    public void done(RunResult result) {
        running = null;
        place.phase("writes its report", Duration.ZERO);
        tell(true);
    }

    private void news(String text) {
        place.news(text);
        tell(false);
    }

    private void tell(boolean soon) {
        events.publish("state", place.json());
        want(soon);
    }

    /** Asks for a report; {@code soon} when something has happened in it. */
    private synchronized void want(boolean soon) {
        wanted = true;
        urgent |= soon;
        notifyAll();
    }

    /** Makes reports as they are wanted, until it is closed; to be called by a thread of its own. */
    public void renderAsWanted() {
        try {
            while (awaitWanted()) {
                render();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** True when one is wanted, its time has come and somebody looks; false when there will be none any more. */
    private synchronized boolean awaitWanted() throws InterruptedException {
        while (!closed) {
            long now = nanos.getAsLong();
            if (events.clients() > 0) {
                listened = true;
                listenedAt = now;
            }
            long waits = lost ? pacing.waitsOutOfTurn(now) : pacing.waits(now, urgent);
            if (!wanted || folder == null || (!watched() && rendered.version() > 0)) {
                wait(RenderPacing.URGENT.toMillis());
            } else if (waits > 0) {
                wait(waits / 1_000_000 + 1);
            } else {
                wanted = false;
                urgent = false;
                lost = false;
                return true;
            }
        }
        return false;
    }

    /** Makes the report of what is there, and tells that it is. */
    public void render() {
        Path path = folder;
        if (path == null) {
            return;
        }
        long began = nanos.getAsLong();
        long event = events.last();
        Trial now = running;
        long bytes = 0;
        long done = began;
        try {
            Page.Contents contents = contents(RunFolder.open(path), now);
            bytes = contents.parts().stream()
                    .mapToLong(part -> part.body().length())
                    .sum();
            done = nanos.getAsLong();
            show(contents, event, now == null ? 0 : now.number(), false);
            unread = 0;
        } catch (UnreadableRunException renamed) {
            // A trial came to its end meanwhile, and its files have other names now.
            want(true);
            unread++;
            if (unread == UNREAD) {
                news("the run so far cannot be read, and is tried again: " + renamed.getMessage());
            }
        } catch (RuntimeException e) {
            LOG.warn("making the report so far", e);
            news("the report so far could not be made, and is tried again: " + e.getMessage());
        }
        done = Math.max(done, nanos.getAsLong());
        synchronized (this) {
            pacing.made(done, done - began, bytes / PACKED);
        }
    }

    /** A report that was begun before the run ended comes too late when it is done after that. */
    private synchronized void show(Page.Contents contents, long event, int trial, boolean last) {
        if (ended && !last) {
            return;
        }
        RenderedReport next = rendered.next(contents, event, trial);
        rendered = next;
        events.publish("page", "{\"version\":" + next.version() + "}");
    }

    private Page.Contents contents(RunFolder run, @Nullable Trial now) {
        Set<String> metrics = drawn.stream().map(ProbeMetric::name).collect(Collectors.toSet());
        RunView view = RunView.live(run, trial -> view(trial, metrics));
        if (now == null || !now.searches()) {
            return HtmlReport.contents(view);
        }
        List<TrialFolder> searched = run.searched().stream()
                .filter(trial -> trial.started().trial() == now.number() && !trial.finished())
                .toList();
        return searched.isEmpty()
                ? HtmlReport.contents(view)
                : HtmlReport.contents(view, view.with(TrialView.of(searched.get(0), metrics)));
    }

    /** A trial that is over stays as it is. */
    private TrialView view(TrialFolder trial, Set<String> metrics) {
        synchronized (finished) {
            TrialView before = finished.get(trial.path());
            if (before != null) {
                return before;
            }
        }
        TrialView read = TrialView.of(trial, metrics);
        if (read.finished()) {
            synchronized (finished) {
                int size = read.readings().size() + read.rows().size();
                if (kept + size <= MOST_KEPT) {
                    kept += size;
                    finished.put(trial.path(), read);
                }
            }
        }
        return read;
    }

    /** True when a page is open somewhere, as far as it can be told. */
    public synchronized boolean watched() {
        long now = nanos.getAsLong();
        return listens(now) || (plain && now - plainAt < PLAIN.toNanos());
    }

    /** True for one that has just lost its connection, too: it comes back. */
    private boolean listens(long now) {
        return events.clients() > 0 || (listened && now - listenedAt < LAST.toNanos());
    }

    /** The run is over: from now on the page is its report. */
    public void end(RunFolder run) {
        synchronized (this) {
            closed = true;
            ended = true;
            // Whoever hears of the end listens no more, and has the report still to come.
            if (events.clients() > 0) {
                listened = true;
                listenedAt = nanos.getAsLong();
            }
            notifyAll();
        }
        try {
            Page.Contents report = HtmlReport.contents(RunView.of(run));
            show(report, events.last(), 0, true);
            place.over("The run is over, and this is its report: " + run.report());
        } catch (RuntimeException e) {
            LOG.warn("making the report for the page", e);
            place.over("The run is over; its report could not be shown here, and is: " + run.report());
        }
        events.publish("over", place.json());
    }

    /** Returns when those who look have the latest report, or soon. */
    public synchronized void awaitReaders() {
        long began = nanos.getAsLong();
        try {
            for (long now = began; awaits(now, now - began); now = nanos.getAsLong()) {
                wait(SHORTLY);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean awaits(long now, long waited) {
        // Those of several pages ask one after the other.
        boolean listening = listens(now)
                && waited < LAST.toNanos()
                && (taken < rendered.version() || now - takenAt < SEVERAL.toNanos());
        boolean refreshing = plain && !plainHasLast && now - plainAt < PLAIN.toNanos() && waited < REFRESHED.toNanos();
        return listening || refreshing;
    }

    /** Tells those who look that nothing more comes. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        if (!place.isOver()) {
            place.over("The run ended without a report; the terminal says why");
            events.publish("over", place.json());
        }
    }
}

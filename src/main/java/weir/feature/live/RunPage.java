package weir.feature.live;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import weir.http.EventStream;
import weir.http.LiveServer.LiveHandler;
import weir.measure.ProbeMetric;
import weir.measure.Reading;
import weir.plan.trial.Demand;
import weir.plan.trial.Estimate;
import weir.plan.trial.Trial;
import weir.report.TimeChart;
import weir.report.TrialView;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.WindowRow;
import weir.results.value.Attempt;
import weir.results.value.Caveat;
import weir.results.value.TrialResult;
import weir.run.RunListener;

/**
 * The live page of a run, with a report that is regularly renewed. Open pages receive the data of each second as
 * events. Methods of the listener never wait: they queue news for the thread of {@link #renderAsWanted}.
 */
public final class RunPage implements RunListener, AutoCloseable {
    private static final int KEPT_EVENTS = 1 << 20;
    private static final int MOST_TRIES = 3;

    private static final Logger LOG = LoggerFactory.getLogger(RunPage.class);

    private final EventStream events = new EventStream(KEPT_EVENTS);
    private final RunStatus place;
    private final PageReaders readers;
    private final RenderTurns turns;
    private final SecondPublisher publisher;
    private final ReportRenderer reports;
    private final PageAnswers answers;
    private final Object rendering = new Object();
    private final AtomicLong over = new AtomicLong();

    private volatile @Nullable Path folder;
    private volatile @Nullable Trial running;

    /** @param stop ends the run as Ctrl-C does */
    public RunPage(LongSupplier nanos, Runnable stop) {
        place = new RunStatus(nanos);
        readers = new PageReaders(events, nanos);
        turns = new RenderTurns(nanos);
        publisher = new SecondPublisher(SecondPublisher.MOST, events, place, turns);
        reports = new ReportRenderer(events, turns, place::addEvent, nanos);
        answers = new PageAnswers(events, place, readers, turns, this::latest, nanos, stop);
    }

    public Map<String, LiveHandler> paths() {
        return answers.paths();
    }

    public List<EventStream> streams() {
        return List.of(events);
    }

    @Override
    public boolean agrees(String question) {
        return false;
    }

    @Override
    public void started(Path path, Estimate estimate) {
        place.started(estimate);
        publisher.draws(RunFolder.open(path).drawn());
        folder = path;
        turns.want(true);
    }

    @Override
    public void trial(Trial trial, int of) {
        publisher.begun();
        // A profiled trial has no measurements.
        running = trial.profiled() ? null : trial;
        place.trial(trial, of);
        turns.want(true);
    }

    @Override
    public void warmsUp(Trial trial, double rate) {
        place.warmsUp(trial, rate);
    }

    @Override
    public void tries(Trial trial, double rate, String why) {
        place.tries(trial, rate, why);
    }

    @Override
    public void tried(Trial trial, Attempt tried) {
        place.tried(tried);
        over.incrementAndGet();
        turns.want(true);
    }

    @Override
    public void phase(Trial trial, String phase, Duration expected) {
        boolean known = !phase.equals("measure") || !expected.isZero();
        place.phase(phase, known ? expected : Demand.length(trial.variant()));
        turns.want(true);
    }

    @Override
    public void window(Trial trial, WindowRow row) {
        publisher.window(trial, row);
    }

    @Override
    public void reading(Trial trial, Reading reading) {
        publisher.reading(trial, reading);
    }

    @Override
    public void note(String text) {
        place.addEvent(text);
    }

    @Override
    public void caveat(Caveat caveat) {
        place.caveat(caveat);
        turns.want(true);
    }

    @Override
    public void trialDone(TrialResult result) {
        running = null;
        over.incrementAndGet();
        turns.want(true);
    }

    @Override
    public void done(RunResult result) {
        running = null;
        place.phase("writing its report", Duration.ZERO);
        turns.want(true);
    }

    /** Publishes news and makes requested reports until {@code close}. The call blocks, so it needs its own thread. */
    public void renderAsWanted() {
        try {
            while (turns.await()) {
                readers.check();
                publish();
                boolean asked = folder != null
                        && (readers.watched() || reports.rendered().version() == 0);
                if (asked && turns.take()) {
                    render();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void publish() {
        publisher.publish(readers.watched());
    }

    public void render() {
        Path path = folder;
        if (path != null) {
            publish();
            synchronized (rendering) {
                reports.render(path, running, publisher.drawn(), over.get());
            }
        }
    }

    private RenderedReport latest() {
        synchronized (rendering) {
            boolean there = folder != null && !place.isOver();
            if (there && turns.take()) {
                render();
            }
            for (int tries = 0; there && tries < MOST_TRIES && reports.lacks(over.get()); tries++) {
                render();
            }
        }
        return reports.rendered();
    }

    public boolean watched() {
        return readers.watched();
    }

    public void end(RunFolder run) {
        turns.close();
        // A reader of the end event disconnects, and must still fetch the report.
        readers.check();
        publish();
        try {
            reports.last(run);
            place.over("The run is over. This page shows its report: " + run.report());
        } catch (RuntimeException e) {
            LOG.warn("making the report for the page", e);
            place.over("The run is over. This page cannot show its report: " + run.report());
        }
        events.publish("over", place.json());
    }

    public void awaitReaders() {
        readers.await(reports.rendered().version());
    }

    @Override
    public void close() {
        turns.close();
        if (!place.isOver()) {
            publish();
            place.over("The run ended without a report; see the terminal for the reason");
            events.publish("over", place.json());
        }
    }

    /**
     * A publisher of each second of a run, and of its progress in the plan, to open pages. Without an open page, it
     * publishes nothing. A page that is new, or that missed a second, loads the whole report.
     */
    static final class SecondPublisher {
        private static final double OPEN_SECONDS = 10;
        private static final int MOST_READINGS = 50_000;

        /** Maximum queued news: the readings of some seconds of a large cluster, while a report is made. */
        static final int MOST = 1 << 16;

        private final BlockingQueue<Runnable> waiting;
        private final AtomicBoolean dropped = new AtomicBoolean();
        private final EventStream events;
        private final RunStatus place;
        private final RenderTurns turns;
        private final ArrayDeque<Reading> readings = new ArrayDeque<>();
        private volatile List<ProbeMetric> drawn = List.of();
        private boolean watched;
        private long reported;

        SecondPublisher(int most, EventStream events, RunStatus place, RenderTurns turns) {
            waiting = new ArrayBlockingQueue<>(most);
            this.events = events;
            this.place = place;
            this.turns = turns;
        }

        void begun() {
            offer(readings::clear);
        }

        void window(Trial trial, WindowRow row) {
            if (!trial.profiled()) {
                offer(() -> second(trial, row));
            }
        }

        void reading(Trial trial, Reading reading) {
            if (!trial.profiled()) {
                offer(() -> read(reading));
            }
        }

        /** Queues news without waiting. A full queue drops the news. */
        private void offer(Runnable news) {
            if (!waiting.offer(news)) {
                dropped.set(true);
            }
        }

        void draws(List<ProbeMetric> metrics) {
            drawn = metrics;
        }

        List<ProbeMetric> drawn() {
            return drawn;
        }

        synchronized void publish(boolean nowWatched) {
            watched = nowWatched;
            if (dropped.getAndSet(false)) {
                readings.clear();
                waiting.clear();
                events.reset();
                turns.wantLost();
            }
            // Only the news that is in the queue now.
            List<Runnable> news = new ArrayList<>();
            waiting.drainTo(news);
            news.forEach(Runnable::run);
            long changes = place.changes();
            if (changes != reported) {
                reported = changes;
                events.publish("state", place.json());
            }
        }

        private void read(Reading reading) {
            readings.addLast(reading);
            if (readings.size() > MOST_READINGS) {
                readings.removeFirst();
            }
        }

        private void second(Trial trial, WindowRow row) {
            turns.want(false);
            if (watched) {
                List<Reading> own = readings.stream()
                        .filter(reading -> (int) reading.second() == (int) row.second())
                        .toList();
                String label = TrialView.label(trial.variant().name(), trial.repeat(), false);
                events.publish("second", TimeChart.second(trial.number(), label, row, own, drawn));
            } else {
                events.reset();
            }
            readings.removeIf(reading -> reading.second() < row.second() - OPEN_SECONDS);
        }
    }
}

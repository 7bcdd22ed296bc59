package weir.feature.live;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import weir.http.EventStream;
import weir.measure.ProbeMetric;
import weir.plan.trial.Trial;
import weir.report.HtmlReport;
import weir.report.Page;
import weir.report.RunView;
import weir.report.Section.SidePages;
import weir.report.TrialView;
import weir.report.block.Block;
import weir.results.RunFolder;
import weir.results.TrialFolder;
import weir.results.UnreadableRunException;

/** A maker of reports about a live run. */
final class ReportRenderer {
    /** The limit of readings of finished trials in memory. Further trials are read again each time. */
    private static final int MOST_KEPT = 400_000;

    private static final int PACKED = 4;

    private static final int UNREAD = 2;

    private static final Logger LOG = LoggerFactory.getLogger(ReportRenderer.class);

    private final EventStream events;
    private final RenderTurns turns;
    private final Consumer<String> news;
    private final LongSupplier nanos;
    private final Map<Path, TrialView> finished = new HashMap<>();
    private volatile RenderedReport rendered;
    private volatile long has;

    private int kept;
    private int unread;
    private boolean ended;

    ReportRenderer(EventStream events, RenderTurns turns, Consumer<String> news, LongSupplier nanos) {
        this.events = events;
        this.turns = turns;
        this.news = news;
        this.nanos = nanos;
        List<Block> header = List.of(new Block.Heading(1, "", RunView.NOTHING_YET));
        Page.Contents none = new Page.Contents("A run · Weir", header, List.of(), "Made by Weir during the run");
        rendered = new RenderedReport(0, 0, 0, none, Map.of(), Map.of());
    }

    RenderedReport rendered() {
        return rendered;
    }

    boolean lacks(long over) {
        return rendered.version() == 0 || has < over;
    }

    void render(Path folder, @Nullable Trial running, List<ProbeMetric> drawn, long over) {
        long began = nanos.getAsLong();
        long event = events.last();
        long bytes = 0;
        long done = began;
        try {
            Page.Contents contents = contents(RunFolder.open(folder), running, drawn);
            bytes = contents.parts().stream()
                    .mapToLong(part -> part.body().length())
                    .sum();
            done = nanos.getAsLong();
            show(contents, event, running == null ? 0 : running.number(), false);
            unread = 0;
            has = over;
        } catch (UnreadableRunException renamed) {
            // A trial ended meanwhile, which renames its files.
            turns.want(true);
            unread++;
            if (unread == UNREAD) {
                news.accept("cannot read the results so far; Weir will retry: " + renamed.getMessage());
            }
        } catch (RuntimeException e) {
            LOG.warn("making the report so far", e);
            news.accept("cannot write the report so far; Weir will retry: " + e.getMessage());
        }
        done = Math.max(done, nanos.getAsLong());
        turns.made(done, done - began, bytes / PACKED);
    }

    /** Makes the last report. No later call replaces it. */
    void last(RunFolder run) {
        synchronized (this) {
            ended = true;
        }
        show(HtmlReport.contents(RunView.of(run)), events.last(), 0, true);
    }

    private synchronized void show(Page.Contents contents, long event, int trial, boolean last) {
        if (ended && !last) {
            return;
        }
        RenderedReport next = rendered.next(contents, event, trial);
        rendered = next;
        events.publish("page", "{\"version\":" + next.version() + "}");
    }

    private Page.Contents contents(RunFolder run, @Nullable Trial now, List<ProbeMetric> drawn) {
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
                : HtmlReport.contents(view, view.with(TrialView.of(searched.get(0), metrics)), SidePages.NONE);
    }

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
}

package weir.cli.watch;

import java.time.Duration;
import java.util.concurrent.ForkJoinPool;
import weir.live.LiveServer;
import weir.live.page.RunPage;
import weir.results.RunFolder;
import weir.run.RunListener;

/** The page of a run, its server, and the thread that makes its reports. */
final class LiveWatch implements RunWatch {
    /** A report of some megabytes takes a while on its way to another place. */
    private static final Duration TAKEN = Duration.ofSeconds(10);

    private final RunPage page;
    private final LiveServer server;
    /** Reading a run is shared among all cores elsewhere; while one is measured it gets one. */
    private final ForkJoinPool renders = new ForkJoinPool(1);

    LiveWatch(RunPage page, LiveServer server) {
        this.page = page;
        this.server = server;
        renders.execute(page::renderAsWanted);
    }

    @Override
    public RunListener listener() {
        return page;
    }

    @Override
    public void over(RunFolder folder) {
        if (page.watched()) {
            page.end(folder);
            page.awaitReaders();
            var unused = server.awaitAnswers(TAKEN);
        }
    }

    @Override
    public void close() {
        page.close();
        renders.shutdownNow();
        server.close();
    }
}

package weir.cli.watch;

import weir.live.LiveServer;
import weir.live.page.RunPage;
import weir.results.RunFolder;
import weir.run.RunListener;

/** The page of a run, its server, and the thread that makes its reports. */
final class LiveWatch implements RunWatch {
    private final RunPage page;
    private final LiveServer server;

    LiveWatch(RunPage page, LiveServer server) {
        this.page = page;
        this.server = server;
        Thread renders = new Thread(page::renderAsWanted, "weir-live-report");
        renders.setDaemon(true);
        renders.start();
    }

    @Override
    public RunListener listener() {
        return page;
    }

    @Override
    public void over(RunFolder folder) {
        page.over(folder);
    }

    @Override
    public void close() {
        page.close();
        server.close();
    }
}

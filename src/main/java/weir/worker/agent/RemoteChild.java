package weir.worker.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import weir.host.Child;
import weir.host.LastLines;
import weir.host.ProcessAction;
import weir.worker.WorkerFailed;
import weir.worker.link.LinkFrame;

/** A program on another host. One whose host is lost has ended, as nobody can see it any more. */
record RemoteChild(RemoteHost host, int channel, String name, Path log, RemoteProcess process, long pid)
        implements Child {
    /** The agent of a host gives up a program after five seconds, and has to say so. */
    private static final Duration ENDING = Duration.ofSeconds(15);

    @Override
    public CompletableFuture<Integer> exit() {
        return process.exit();
    }

    @Override
    public boolean alive() {
        return !process.exit().isDone();
    }

    @Override
    public boolean endsWithin(Duration limit) {
        try {
            process.exit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException still) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the end of " + name(), e);
        }
    }

    @Override
    public List<String> lastLines(int count) {
        List<String> lines = Files.isRegularFile(log) ? new ArrayList<>(LastLines.of(log, count)) : new ArrayList<>();
        if (host.isLost()) {
            lines.add("host '" + host.name() + "' is lost: " + host.lost());
        }
        return lines;
    }

    @Override
    public void terminate() {
        host.act(channel, ProcessAction.STOP);
    }

    @Override
    public void kill() {
        if (alive() && !host.isLost()) {
            host.act(channel, ProcessAction.KILL);
        }
    }

    @Override
    public void pause() {
        host.act(channel, ProcessAction.PAUSE);
    }

    @Override
    public void resume() {
        host.act(channel, ProcessAction.RESUME);
    }

    @Override
    public void endTree() {
        if (!alive()) {
            return;
        }
        try {
            host.send(LinkFrame.of(LinkFrame.Kind.CLOSE, out -> out.writeInt(channel)));
        } catch (IOException lost) {
            throw new WorkerFailed(String.valueOf(lost.getMessage()));
        }
        gone();
    }

    @Override
    public void close() {
        kill();
        gone();
        host.forget(channel);
    }

    private void gone() {
        if (!endsWithin(ENDING)) {
            throw new WorkerFailed(name() + " " + pid + " on host '" + host.name() + "' does not end");
        }
    }
}

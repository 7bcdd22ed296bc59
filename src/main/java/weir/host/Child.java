package weir.host;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A process started here, which does not outlive us. */
@SuppressWarnings("DoNotCallSuggester")
public final class Child implements AutoCloseable {
    Child() {}

    public String name() {
        throw new UnsupportedOperationException();
    }

    public ProcessId id() {
        throw new UnsupportedOperationException();
    }

    /** What the child reads. Closing it asks our own programs to end. */
    public OutputStream input() {
        throw new UnsupportedOperationException();
    }

    /** What the child writes, when {@link Command.Output#READ}. */
    public InputStream output() {
        throw new UnsupportedOperationException();
    }

    /** Completes with the exit code. */
    public CompletableFuture<Integer> exit() {
        throw new UnsupportedOperationException();
    }

    public boolean alive() {
        throw new UnsupportedOperationException();
    }

    /** The end of the log. */
    public List<String> lastLines(int count) {
        throw new UnsupportedOperationException();
    }

    /** SIGTERM. */
    public void terminate() {
        throw new UnsupportedOperationException();
    }

    /** SIGKILL. */
    public void kill() {
        throw new UnsupportedOperationException();
    }

    /** SIGSTOP. */
    public void pause() {
        throw new UnsupportedOperationException();
    }

    /** SIGCONT. */
    public void resume() {
        throw new UnsupportedOperationException();
    }

    /** Kills, and waits until it is gone. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}

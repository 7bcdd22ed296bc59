package weir.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A process started here. */
public final class Child implements AutoCloseable {
    private final Command command;
    private final Process process;
    private final ProcessId id;

    Child(Command command, Process process) {
        this.command = command;
        this.process = process;
        this.id = ProcessId.of(process.pid());
    }

    public String name() {
        return command.name();
    }

    public ProcessId id() {
        return id;
    }

    /** The stream that the child reads. Closing it asks our own programs to end. */
    public OutputStream input() {
        return process.getOutputStream();
    }

    /** The stream that the child writes, when {@link Command.Output#READ}. */
    public InputStream output() {
        return process.getInputStream();
    }

    /** How a process ended: of one that a signal ended, the exit code is 128 and the signal's number. */
    public static String ending(int exitCode) {
        int signal = exitCode - 128;
        if (signal <= 0 || signal > 64) {
            return "ended with exit code " + exitCode;
        }
        return "was killed (signal " + signal + (signal == 9 ? "; out of memory?" : "") + ")";
    }

    /** Completes with the exit code. */
    public CompletableFuture<Integer> exit() {
        return process.onExit().thenApply(Process::exitValue);
    }

    public boolean alive() {
        return process.isAlive();
    }

    /** Waits for the end; false when it still runs at the limit. */
    public boolean endsWithin(Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the end of " + name(), e);
        }
    }

    /** The end of the log. */
    public List<String> lastLines(int count) {
        return LastLines.of(command.log(), count);
    }

    /** SIGTERM. */
    public void terminate() {
        // The process itself would also close the child's input, at the end of which ours end without a clean shutdown.
        process.toHandle().destroy();
    }

    /** SIGKILL. */
    public void kill() {
        process.destroyForcibly();
    }

    /** SIGSTOP. */
    public void pause() {
        signal("STOP");
    }

    /** SIGCONT. */
    public void resume() {
        signal("CONT");
    }

    /** Kills, and waits until it is gone. */
    @Override
    public void close() {
        kill();
        exit().join();
    }

    private void signal(String signal) {
        if (!alive()) {
            throw new IllegalStateException(name() + " is not running, so it cannot be sent SIG" + signal);
        }
        try {
            int code = new ProcessBuilder("/bin/sh", "-c", "kill -" + signal + " " + id.pid())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException(
                        name() + " could not be sent SIG" + signal + ": kill ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("sending SIG" + signal + " to " + name(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while sending SIG" + signal + " to " + name(), e);
        }
    }
}

package weir.worker;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Supplier;
import weir.host.Child;
import weir.host.ProcessAction;

/** A gateway of a trial: one process at a time, always at the same address. */
final class GatewayProcess implements AutoCloseable {
    private final GatewayAssignment assignment;
    private final Supplier<LocalWorker.Started> starts;
    private LocalWorker.Started process;

    /** Returns when it can be connected to. */
    GatewayProcess(GatewayAssignment assignment, Supplier<LocalWorker.Started> starts) {
        this.assignment = assignment;
        this.starts = starts;
        this.process = serving();
    }

    private LocalWorker.Started serving() {
        LocalWorker.Started started = starts.get();
        try {
            started.worker().serve(assignment);
            return started;
        } catch (RuntimeException e) {
            started.worker().end();
            throw e;
        }
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), assignment.port());
    }

    synchronized long pid() {
        return process.child().id().pid();
    }

    synchronized void act(ProcessAction action) {
        Child child = process.child();
        switch (action) {
            case KILL -> {
                child.kill();
                child.exit().join();
            }
            case STOP -> {
                process.worker().retire();
                process.worker().end();
            }
            case PAUSE -> child.pause();
            case RESUME -> child.resume();
            case RESTART -> {
                process.worker().end();
                process = serving();
            }
        }
    }

    @Override
    public synchronized void close() {
        process.worker().end();
    }
}

package weir.worker;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import weir.host.Child;
import weir.host.ProcessAction;

/** A server of a trial, which may restart at the same address. Only one process runs at a time. */
public final class ServerProcess implements AutoCloseable {
    private final ServerAssignment assignment;
    private final Supplier<StartedWorker> starts;
    private final Set<Child> ended = ConcurrentHashMap.newKeySet();

    private StartedWorker process;
    private Consumer<BridgeDeath> listener = death -> {};
    private Consumer<LinkedWorker> limits = worker -> {};

    /** Starts the process. Its log is NAME.log in {@code folder}. */
    public ServerProcess(ServerAssignment assignment, ServerSite site, WorkerJvm jvm, String name, Path folder) {
        this.assignment = assignment;
        this.starts = () -> site.starter().start(jvm, name, folder.resolve(name + ".log"));
        this.process = serving();
    }

    private StartedWorker serving() {
        StartedWorker started = starts.get();
        try {
            started.worker().serve(assignment);
            limits.accept(started.worker());
            return started;
        } catch (RuntimeException e) {
            started.worker().end();
            throw e;
        }
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(assignment.host(), assignment.port());
    }

    public String url() {
        return url(address());
    }

    public static String url(InetSocketAddress address) {
        return "http://" + address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    public synchronized long pid() {
        return process.child().pid();
    }

    public synchronized void onDeath(Consumer<BridgeDeath> listener) {
        this.listener = listener;
        watch(process.child());
    }

    /** Limits reported times to events due in this period, also after a restart. Skips a process that does not run. */
    public synchronized void span(long fromNanos, long toNanos) {
        limits = worker -> worker.span(new LinkMessages.Span(fromNanos, toNanos));
        if (process.child().alive()) {
            limits.accept(process.worker());
        }
    }

    private void watch(Child child) {
        Consumer<BridgeDeath> known = listener;
        var unused = child.exit().thenAccept(code -> {
            if (!ended.contains(child)) {
                known.accept(BridgeDeath.of(child, code));
            }
        });
    }

    public synchronized void act(ProcessAction action) {
        Child child = process.child();
        switch (action) {
            case KILL -> {
                ended.add(child);
                child.kill();
                child.exit().join();
            }
            case STOP -> {
                ended.add(child);
                process.worker().retire();
                process.worker().end();
            }
            case PAUSE, RESUME -> child.signal(action);
            case RESTART -> {
                ended.add(child);
                process.worker().end();
                process = serving();
                watch(process.child());
            }
        }
    }

    @Override
    public synchronized void close() {
        ended.add(process.child());
        process.worker().end();
    }
}

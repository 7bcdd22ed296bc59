package weir.feature.hosts;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import weir.time.DaemonThreads;
import weir.time.MachineClock;
import weir.time.TimeLimit;
import weir.worker.WorkerFailed;

/** The hosts of one run by name, and the port at which their agents connect. */
public final class RemoteHosts implements AutoCloseable {
    private static final long GLANCE_MILLIS = 500;

    private final RunCertificates certificates;
    private final LongSupplier clock;
    private final LinkListener listener;
    private final Map<String, RemoteHost> hosts = new TreeMap<>();
    private final ScheduledExecutorService watch =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("weir-hosts"));

    private RemoteHosts(InetSocketAddress address, RunCertificates certificates, String build, LongSupplier clock) {
        this.certificates = certificates;
        this.clock = clock;
        this.listener = LinkListener.open(address, certificates, build, this::arrived);
    }

    /**
     * Listens for agents.
     *
     * @param address on loopback unless hosts elsewhere are to reach it; port 0 takes one that is free
     * @param folder that only this user can read, for the token file
     * @param version of Weir: others are refused
     * @param clock of the run
     */
    public static RemoteHosts open(InetSocketAddress address, Path folder, String version, LongSupplier clock) {
        RemoteHosts hosts = new RemoteHosts(address, RunCertificates.make(folder), ProgramFiles.build(version), clock);
        var unused = hosts.watch.scheduleAtFixedRate(hosts::check, GLANCE_MILLIS, GLANCE_MILLIS, TimeUnit.MILLISECONDS);
        return hosts;
    }

    public InetSocketAddress address() {
        return listener.address();
    }

    public Path token() {
        return certificates.token();
    }

    private void arrived(Hello hello, LinkListener.Entrance entrance) throws LinkRefused {
        synchronized (this) {
            RemoteHost there = hosts.get(hello.name());
            if (there != null) {
                throw new LinkRefused("a worker named '" + hello.name() + "' "
                        + (there.isLost()
                                ? "was lost in this run, which does not take it back"
                                : "is already connected: choose another name with --name"));
            }
            try {
                hosts.put(hello.name(), new RemoteHost(hello, entrance, clock));
                notifyAll();
            } catch (IOException gone) {
                throw new LinkRefused("the connection broke", gone);
            }
        }
    }

    private void check() {
        hosts().forEach(RemoteHost::check);
    }

    public synchronized List<RemoteHost> hosts() {
        return List.copyOf(hosts.values());
    }

    public RemoteHost await(String name, Duration limit) {
        TimeLimit deadline = MachineClock.within(limit);
        RemoteHost host = arrived(name, deadline);
        if (host == null) {
            throw new WorkerFailed("host '" + name + "' did not connect to "
                    + address().getHostString() + ":"
                    + address().getPort() + " within " + limit.toSeconds() + " s; start there: weir worker --connect"
                    + " ADDRESS:" + address().getPort() + " --token FILE --name " + name);
        }
        if (!host.clocked(RemoteHost.UNKNOWN - 1, deadline.left())) {
            throw new WorkerFailed("host '" + name + "' connected, but does not answer");
        }
        return host;
    }

    private synchronized @Nullable RemoteHost arrived(String name, TimeLimit deadline) {
        try {
            while (!hosts.containsKey(name)) {
                if (deadline.passed()) {
                    return null;
                }
                TimeUnit.NANOSECONDS.timedWait(this, deadline.left().toNanos() + 1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while host '" + name + "' was waited for", e);
        }
        return hosts.get(name);
    }

    @Override
    public void close() {
        listener.close();
        watch.shutdownNow();
        hosts().forEach(RemoteHost::close);
    }
}

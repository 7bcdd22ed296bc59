package weir.cluster.start;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import weir.cluster.ClusterUnavailable;
import weir.cluster.NodeDeath;
import weir.cluster.release.KafkaVersion;
import weir.host.Child;
import weir.host.Command;
import weir.host.Host;
import weir.host.ProcessAction;
import weir.host.ProcessId;
import weir.host.Shield;
import weir.time.MachineClock;
import weir.time.TimeLimit;

/** The process of one node, which can restart and reports an unexpected end. */
final class BrokerProcess implements AutoCloseable {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(60);
    private static final String SESSION = "zookeeper.session.timeout.ms";
    private static final String DEFAULT_SESSION = "18000";
    /** ZooKeeper ends sessions at ticks. */
    private static final Duration TICK = Duration.ofSeconds(3);

    private static final int LAST_LINES = 20;
    private static final int TAIL_LINES = 2_000;
    private static final int PLACES = 2;

    private static final Pattern FATAL = Pattern.compile("(?i)\\bfatal\\b|^Exception in thread|OutOfMemoryError");
    private static final Pattern TRACE =
            Pattern.compile("Caused by: |Suppressed: |(?:[a-z][\\w$]*\\.)+[A-Z][\\w$]*(?:Exception|Error)\\b");
    private static final Pattern JVM_WARNING = Pattern.compile("^\\[[^\\]]*]\\[warning]|^\\S+ warning:|WARNING:");
    private static final Pattern ENTRY = Pattern.compile("\\d{4}-\\d\\d-\\d\\d \\d\\d:");

    final Node node;
    final Path log;
    final Shield shield;
    private final Host host;
    private final Consumer<NodeDeath> died;
    private String release;
    private List<String> program;
    private @Nullable Child child;
    private long startedNanos;
    private boolean endAsked;
    private volatile TimeLimit entry = MachineClock.within(Duration.ZERO);

    BrokerProcess(
            Node node,
            String release,
            List<String> program,
            Path log,
            Host host,
            Shield shield,
            Consumer<NodeDeath> died) {
        this.node = node;
        this.release = release;
        this.program = List.copyOf(program);
        this.log = log;
        this.host = host;
        this.shield = shield;
        this.died = died;
    }

    /** Changes the program of the next start. */
    synchronized void program(String installed, List<String> changed) {
        release = installed;
        program = List.copyOf(changed);
    }

    synchronized void start(List<String> arguments) {
        if (running()) {
            throw new IllegalStateException(node.name() + " is running already");
        }
        List<String> command = new ArrayList<>(program);
        command.addAll(arguments);
        endAsked = false;
        startedNanos = MachineClock.STEADY.getAsLong();
        Child started = host.start(new Command(node.name(), command, log, Command.Output.LOGGED, shield));
        child = started;
        var unused = started.exit().thenAccept(code -> ended(started, code));
    }

    private void ended(Child which, int code) {
        Duration after;
        synchronized (this) {
            if (endAsked || which != child) {
                return;
            }
            after = Duration.ofNanos(MachineClock.STEADY.getAsLong() - startedNanos);
        }
        died.accept(new NodeDeath(node.name(), node.id(), release, code, after, log, explaining(which)));
    }

    synchronized boolean everStarted() {
        return child != null;
    }

    synchronized boolean running() {
        return child != null && child.alive();
    }

    synchronized boolean endedUnasked() {
        return child != null && !child.alive() && !endAsked;
    }

    /** The process id; -1 when the process does not run. */
    synchronized long pid() {
        return child != null && child.alive() ? child.pid() : -1;
    }

    synchronized ProcessId id() {
        return ProcessId.of(current().pid());
    }

    void kill() {
        Child doomed = end();
        doomed.close();
        if (KafkaVersion.of(release).zooKeeper()) {
            String session = node.asked().getOrDefault(SESSION, DEFAULT_SESSION);
            entry = MachineClock.within(
                    Duration.ofMillis(Long.parseLong(session)).plus(TICK));
        }
    }

    /** Waits until ZooKeeper has deleted the entry of a killed broker, because it refuses a second entry. */
    void awaitEntry() {
        while (!entry.passed() && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(entry.left().toNanos());
        }
    }

    /** Sends SIGTERM; returns when the process is gone, and fails if it does not end in time. */
    void stop() {
        Child stopping = end();
        stopping.signal(ProcessAction.RESUME);
        stopping.signal(ProcessAction.STOP);
        if (!stopping.endsWithin(STOP_LIMIT)) {
            throw new IllegalStateException(node.name() + " did not stop within " + STOP_LIMIT.toSeconds()
                    + " s; last lines of " + log + ":\n" + String.join("\n", explaining(stopping)));
        }
    }

    synchronized void signal(ProcessAction action) {
        current().signal(action);
    }

    @Override
    public synchronized void close() {
        if (child != null) {
            endAsked = true;
            child.close();
        }
        shield.close();
    }

    private synchronized Child end() {
        Child ending = current();
        endAsked = true;
        return ending;
    }

    private Child current() {
        Child running = child;
        if (running == null || !running.alive()) {
            throw new IllegalStateException(node.name() + " is not running");
        }
        return running;
    }

    synchronized boolean logContains(String text) {
        return child != null && child.lastLines(TAIL_LINES).stream().anyMatch(line -> line.contains(text));
    }

    private static List<String> explaining(Child child) {
        return explaining(child.lastLines(TAIL_LINES));
    }

    /**
     * Selects the log lines that explain a failure: errors from the fatal one on, or lines above INFO, or all lines. A
     * broker logs much more about its shutdown after the failure.
     */
    static List<String> explaining(List<String> tail) {
        List<List<String>> entries = entries(tail);
        List<List<String>> errors =
                entries.stream().filter(BrokerProcess::isError).toList();
        List<List<String>> warnings = entries.stream()
                .filter(entry -> !entry.get(0).contains(" INFO "))
                .toList();
        if (errors.isEmpty()) {
            List<String> lines = warnings.isEmpty() ? tail : lines(warnings);
            return lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
        }
        int fatal = 0;
        for (int i = 0; i < errors.size(); i++) {
            fatal = FATAL.matcher(errors.get(i).get(0)).find() ? i : fatal;
        }
        List<String> lines = lines(errors);
        List<String> since = lines(errors.subList(fatal, errors.size()));
        return since.size() >= LAST_LINES
                ? since.subList(0, LAST_LINES)
                : lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
    }

    private static List<List<String>> entries(List<String> tail) {
        List<List<String>> entries = new ArrayList<>();
        for (String line : tail) {
            boolean more = !line.isBlank()
                    && (Character.isWhitespace(line.charAt(0))
                            || TRACE.matcher(line).lookingAt());
            if (more && !entries.isEmpty()) {
                entries.get(entries.size() - 1).add(line);
            } else if (!line.isBlank()) {
                entries.add(new ArrayList<>(List.of(line)));
            }
        }
        return entries;
    }

    private static boolean isError(List<String> entry) {
        String first = entry.get(0);
        return ENTRY.matcher(first).lookingAt()
                ? first.contains(" ERROR ") || first.contains(" FATAL ")
                : !JVM_WARNING.matcher(first).find();
    }

    private static List<String> lines(List<List<String>> entries) {
        List<String> lines = new ArrayList<>();
        for (List<String> entry : entries) {
            int places = 0;
            for (String line : entry) {
                places = line.startsWith("\tat ") ? places + 1 : 0;
                if (places <= PLACES) {
                    lines.add(line);
                }
            }
        }
        return lines;
    }

    /** The nodes that ended unexpectedly, with a listener for such ends. Safe for many threads. */
    static final class NodeExits {
        private final List<NodeDeath> deaths = new ArrayList<>();
        private final List<Consumer<NodeDeath>> listeners = new ArrayList<>();

        void add(NodeDeath death) {
            List<Consumer<NodeDeath>> current;
            synchronized (this) {
                deaths.add(death);
                current = List.copyOf(listeners);
            }
            current.forEach(listener -> listener.accept(death));
        }

        void addListener(Consumer<NodeDeath> listener) {
            List<NodeDeath> before;
            synchronized (this) {
                before = List.copyOf(deaths);
                listeners.add(listener);
            }
            before.forEach(listener);
        }

        synchronized int count() {
            return deaths.size();
        }

        synchronized void check(int before) {
            if (deaths.size() > before) {
                throw new ClusterUnavailable(deaths.get(before).message());
            }
        }
    }
}

package weir.feature.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.LocalPortForward;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import weir.feature.hosts.LinkCall;
import weir.feature.kubernetes.ConductorServer.ListedFile;
import weir.feature.kubernetes.ConductorServer.Op;
import weir.host.HostUnavailable;
import weir.plan.read.Hash;
import weir.time.MachineClock;
import weir.worker.link.LinkJson;
import weir.worker.link.Pipes;

/** The connection to a conductor in a pod, through a port that is forwarded again after each break. */
final class ForwardedConductor implements AutoCloseable {
    /** The limit for the start of a conductor, and for each answer. */
    private static final Duration SILENT = Duration.ofSeconds(60);

    /** Time without an answer after which the user gets a message. */
    private static final Duration REPORT_AFTER = Duration.ofSeconds(5);

    private static final long POLL_INTERVAL = 200_000_000;

    private final RunIdentity run;
    private final KubernetesClient asks;
    private final Consumer<String> notes;

    /** The client of the current forward. A client with a broken forward would open more forwards that never answer. */
    private KubernetesClient own;

    private LocalPortForward forward;
    private ConductorClient client;

    interface ConductorRequest<T> {
        T of(ConductorClient conductor) throws IOException;
    }

    /**
     * Waits until the conductor listens, and forwards its port.
     *
     * @param stops returns true once the wait is cancelled
     * @param notes receives a line when the conductor stops answering, and when it answers again
     * @throws HostUnavailable with the reason from Kubernetes if the conductor does not listen within a minute
     */
    ForwardedConductor(KubernetesClient asks, RunIdentity run, BooleanSupplier stops, Consumer<String> notes) {
        this.notes = notes;
        this.run = run;
        this.asks = asks;
        await(stops);
        this.own = another();
        this.forward = forward();
        this.client = new ConductorClient(forward.getLocalPort());
    }

    private @Nullable Pod pod() {
        return asks.pods()
                .inNamespace(run.namespace())
                .withName(RunObjects.podName(run))
                .get();
    }

    private void await(BooleanSupplier stops) {
        String name = RunObjects.podName(run);
        PodProblems.await(
                () -> {
                    Pod pod = pod();
                    if (pod == null) {
                        throw PodProblems.unavailable(name, "it was deleted");
                    }
                    return Map.of(name, pod);
                },
                List.of(name),
                PodProblems::ready,
                (conductor, pods) -> PodProblems.waiting(Objects.requireNonNull(pods.get(conductor))),
                SILENT,
                stops);
    }

    private KubernetesClient another() {
        return new KubernetesClientBuilder().withConfig(asks.getConfiguration()).build();
    }

    private LocalPortForward forward() {
        return own.pods()
                .inNamespace(run.namespace())
                .withName(RunObjects.podName(run))
                .portForward(ConductorServer.PORT);
    }

    <T> T ask(ConductorRequest<T> asking) {
        long asked = MachineClock.STEADY.getAsLong();
        boolean reported = false;
        while (true) {
            try {
                T answer = asking.of(client);
                if (reported) {
                    notes.accept("the conductor answers again");
                }
                return answer;
            } catch (ConductorClient.Refused e) {
                throw new HostUnavailable(String.valueOf(e.getMessage()));
            } catch (IOException e) {
                long waited = MachineClock.STEADY.getAsLong() - asked;
                String ended = ended();
                if (!ended.isEmpty() || waited > SILENT.toNanos()) {
                    throw new HostUnavailable("the conductor, pod '" + RunObjects.podName(run) + "', did not answer: "
                            + (ended.isEmpty() ? e.getMessage() : ended));
                }
                if (!reported && waited > REPORT_AFTER.toNanos()) {
                    reported = true;
                    notes.accept("the conductor has not answered for " + REPORT_AFTER.toSeconds()
                            + " s; Weir retries for " + SILENT.toSeconds() + " s");
                }
                again();
            }
        }
    }

    /** Returns the reason why the pod will never answer; empty if it may, or if the API server does not answer. */
    private String ended() {
        try {
            Pod seen = pod();
            return seen == null ? "it was deleted" : PodProblems.hopeless(seen);
        } catch (KubernetesClientException unknown) {
            return "";
        }
    }

    <T> T ask(Class<T> type, ConductorServer.Op op, Object... words) {
        return ask(conductor -> conductor.ask(type, op, words));
    }

    private void again() {
        close();
        LockSupport.parkNanos(POLL_INTERVAL);
        own = another();
        forward = forward();
        client = new ConductorClient(forward.getLocalPort());
    }

    @Override
    public void close() {
        try {
            forward.close();
        } catch (IOException gone) {
            // The forward was broken, or is no longer needed.
            return;
        } finally {
            own.close();
        }
    }

    /** The client of the {@link ConductorServer} in a pod, through a forwarded port. */
    record ConductorClient(int port) {
        /** Timeout of an answer: a forwarded port accepts connections even if no process in the pod listens. */
        private static final Duration SOON = Duration.ofSeconds(5);

        private static final Duration LARGE = Duration.ofSeconds(60);

        static final class Refused extends IOException {
            private static final long serialVersionUID = 1;

            Refused(String message) {
                super(message);
            }
        }

        <T> T ask(Class<T> type, Op op, Object... words) throws IOException {
            // Each call has its own connection, because a WebSocket that forwards a port stalls after some large calls.
            try (Socket socket = new Socket()) {
                socket.connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                        Math.toIntExact(SOON.toMillis()));
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(Math.toIntExact((op == Op.FOLDER ? LARGE : SOON).toMillis()));
                Pipes pipes = new Pipes(socket.getInputStream(), socket.getOutputStream());
                pipes.send(LinkCall.of(0, op, words).frame());
                LinkCall.Answer answer = LinkCall.Answer.read(pipes.receive());
                if (!answer.failure().isEmpty()) {
                    throw new Refused("the conductor refused " + op + ": " + answer.failure());
                }
                return LinkJson.read(answer.value(), type);
            }
        }

        /** Sends the next piece of a file to a path below the conductor's home; returns the start of the next one. */
        long put(Path file, long from, String path) throws IOException {
            byte[] piece;
            try (InputStream in = Files.newInputStream(file)) {
                in.skipNBytes(from);
                piece = in.readNBytes(ConductorServer.PIECE);
            }
            long next = from + piece.length;
            ask(String.class, Op.TAKE, path, from, piece, next == Files.size(file) ? Hash.of(file) : "");
            return next;
        }

        /** Fetches the missing pieces of a file, and checks the file's size and hash. */
        Path fetch(ListedFile listed, Path file) throws IOException {
            Files.createDirectories(file.resolveSibling(""));
            long there = Files.exists(file) ? Files.size(file) : 0;
            if (there > listed.size()) {
                Files.delete(file);
                there = 0;
            }
            while (there < listed.size()) {
                byte[] piece = ask(byte[].class, Op.READ, listed.path(), there);
                if (piece.length == 0) {
                    throw new IOException(
                            "'" + listed.path() + "' ends after " + there + " of " + listed.size() + " bytes");
                }
                int taken = (int) Math.min(piece.length, listed.size() - there);
                Files.write(file, Arrays.copyOf(piece, taken), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                there += taken;
            }
            if (listed.size() == 0 && !Files.exists(file)) {
                Files.createFile(file);
            }
            if (!Hash.of(file).equals(listed.sha256())) {
                Files.delete(file);
                throw new IOException("'" + listed.path() + "' does not have the listed hash");
            }
            return file;
        }
    }
}

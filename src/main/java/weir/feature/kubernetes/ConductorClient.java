package weir.feature.kubernetes;

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
import weir.feature.hosts.LinkCall;
import weir.feature.kubernetes.ConductorServer.ConductorInfo;
import weir.feature.kubernetes.ConductorServer.ListedFile;
import weir.feature.kubernetes.ConductorServer.Op;
import weir.feature.kubernetes.ConductorServer.Progress;
import weir.plan.read.Hash;
import weir.worker.link.LinkJson;
import weir.worker.link.Pipes;

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

    private <T> T ask(Class<T> type, Op op, Object... words) throws IOException {
        // Each call has its own connection, because a WebSocket that forwards a port stalls after some large calls.
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), Math.toIntExact(SOON.toMillis()));
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

    /** Sends the next piece of a file to a path below the conductor's home; returns the position of the next piece. */
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

    boolean has(String path) throws IOException {
        return ask(Boolean.class, Op.HAS, path);
    }

    ConductorInfo about() throws IOException {
        return ask(ConductorInfo.class, Op.ABOUT);
    }

    String send(Op op) throws IOException {
        return ask(String.class, op);
    }

    Progress progress(long from) throws IOException {
        return ask(Progress.class, Op.PROGRESS, from);
    }

    List<ListedFile> folder() throws IOException {
        return List.of(ask(ListedFile[].class, Op.FOLDER));
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

package weir.probe;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.LongSupplier;
import weir.time.MachineClock;

/** Two connections of this machine to itself: one whose bytes come back, one whose bytes are counted. */
final class Loopback implements AutoCloseable {
    private static final byte[] CHUNK = new byte[256 << 10];
    private static final int CHUNKS = 32;

    private final LongSupplier clock = MachineClock.STEADY;
    private final Socket echo;
    private final Socket count;
    private final Socket echoed;
    private final Socket counted;

    Loopback() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 2, InetAddress.getLoopbackAddress())) {
            echo = new Socket(server.getInetAddress(), server.getLocalPort());
            echoed = server.accept();
            count = new Socket(server.getInetAddress(), server.getLocalPort());
            counted = server.accept();
        }
        for (Socket socket : new Socket[] {echo, echoed, count, counted}) {
            socket.setTcpNoDelay(true);
        }
        serve("weir-canary-echo", () -> answer(echoed, 1));
        serve("weir-canary-count", () -> answer(counted, CHUNKS * CHUNK.length));
    }

    /** The work of the other end until the connection ends. */
    private interface Service {
        void run() throws IOException;
    }

    private static void serve(String name, Service service) {
        Thread thread = new Thread(
                () -> {
                    try {
                        service.run();
                    } catch (IOException closed) {
                        // The other end sees it too, and tells.
                        return;
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    /** A byte for every so many that came. */
    private static void answer(Socket socket, int every) throws IOException {
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        byte[] buffer = new byte[CHUNK.length];
        int open = 0;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            open += read;
            if (open >= every) {
                open -= every;
                out.write(1);
            }
        }
    }

    double roundTripMicros(long nanos) throws IOException {
        InputStream in = echo.getInputStream();
        OutputStream out = echo.getOutputStream();
        int done = 0;
        long start = clock.getAsLong();
        long now = start;
        while (now - start < nanos) {
            out.write(1);
            expectAnswer(in);
            done++;
            now = clock.getAsLong();
        }
        return (now - start) / 1e3 / done;
    }

    double mebibytesPerSecond() throws IOException {
        long start = clock.getAsLong();
        OutputStream out = count.getOutputStream();
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            out.write(CHUNK);
        }
        expectAnswer(count.getInputStream());
        return (double) CHUNKS * CHUNK.length / (1 << 20) / ((clock.getAsLong() - start) / 1e9);
    }

    private static void expectAnswer(InputStream in) throws IOException {
        if (in.read() < 0) {
            throw new IOException("a connection of this machine to itself ended");
        }
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : new Socket[] {echo, count, echoed, counted}) {
            socket.close();
        }
    }
}

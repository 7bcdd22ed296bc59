package weir.real;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import weir.cluster.RelayDoor;

/**
 * Stands before a broker and turns some ends of transactions round: the producer asks for a commit and the broker hears of
 * an abort, or the other way about. Everything else passes as it is.
 */
final class Liar implements AutoCloseable {
    private static final short END_TXN = 26;
    private static final int MAX_REQUEST = 16 << 20;

    private final RelayDoor door;
    private final Set<Integer> turned;
    private final ServerSocket server;
    private final Set<Integer> told = ConcurrentHashMap.newKeySet();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private int commits;
    private int aborts;

    /** {@code turned}: which commits, counted from 1, and which aborts, counted from -1 downwards, are turned round. */
    Liar(RelayDoor door, Set<Integer> turned) throws IOException {
        this.door = door;
        this.turned = turned;
        this.server = new ServerSocket(door.port(), 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    /** Which of those it has met. */
    Set<Integer> told() {
        return told;
    }

    private static void start(Runnable what) {
        Thread thread = new Thread(what, "weir-liar");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                Socket broker = new Socket(InetAddress.getLoopbackAddress(), door.target());
                open.add(client);
                open.add(broker);
                start(() -> requests(client, broker));
                start(() -> replies(broker, client));
            }
        } catch (IOException closed) {
            end();
        }
    }

    private void requests(Socket client, Socket broker) {
        try (client;
                broker;
                DataInputStream in = new DataInputStream(client.getInputStream());
                DataOutputStream out = new DataOutputStream(broker.getOutputStream())) {
            while (true) {
                byte[] request = new byte[Math.min(in.readInt(), MAX_REQUEST)];
                in.readFully(request);
                if (request.length > 8 && (short) (request[0] << 8 | request[1]) == END_TXN) {
                    end(request);
                }
                out.writeInt(request.length);
                out.write(request);
                out.flush();
            }
        } catch (IOException over) {
            open.remove(client);
        }
    }

    // What is asked for stands last in the request; behind it are only the tags, of which there are none.
    private synchronized void end(byte[] request) {
        boolean commit = request[request.length - 2] == 1;
        int number = commit ? ++commits : --aborts;
        if (turned.contains(number)) {
            told.add(number);
            request[request.length - 2] = (byte) (commit ? 0 : 1);
        }
    }

    private void replies(Socket broker, Socket client) {
        try (broker;
                client) {
            broker.getInputStream().transferTo(client.getOutputStream());
        } catch (IOException over) {
            open.remove(broker);
        }
    }

    private void end() {
        try {
            server.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("closing what stands before a broker", e);
        }
    }

    @Override
    public void close() {
        end();
    }
}

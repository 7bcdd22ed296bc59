package weir.host;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.function.IntSupplier;

/** Free ports on loopback, below the kernel's range for outgoing connections. */
public final class Ports implements IntSupplier {
    private static final Path EPHEMERAL = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final int LOWEST = 10_000;
    private static final int USUAL = 32_768;

    private final Random random = new Random();
    private final Set<Integer> given = new HashSet<>();
    private final int above = firstEphemeral();

    @Override
    public int getAsInt() {
        for (int attempt = 0; attempt < 1_000; attempt++) {
            int port = LOWEST + random.nextInt(above - LOWEST);
            if (free(port) && given.add(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port on 127.0.0.1 from " + LOWEST + " to " + (above - 1)
                + "; 'ss -ltn' shows the listening programs");
    }

    private static boolean free(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    private static int firstEphemeral() {
        try {
            return firstEphemeral(Files.readString(EPHEMERAL));
        } catch (IOException notLinux) {
            return USUAL;
        }
    }

    /** {@code range} has two numbers. It may begin below Weir's usual ports. */
    static int firstEphemeral(String range) {
        int first = Integer.parseInt(range.strip().split("\\s+", -1)[0]);
        return first > LOWEST + 1_000 ? first : USUAL;
    }
}

package weir.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** An address, given as an option, on which a server of Weir listens. */
public record ListenAddress(CommandLine command, String option, String text, InetSocketAddress socket) {
    /** The limit in bytes, because a file that is not a token may be endless. */
    private static final int LONGEST = 4 << 10;

    /**
     * Reads HOST:PORT; port 0 takes any free port.
     *
     * @throws ParameterException with a message that begins with the option
     */
    public static ListenAddress read(CommandLine command, String option, String text, String example) {
        HostPort read;
        try {
            read = HostPort.read(text, 0, example);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, option + ": " + e.getMessage());
        }
        try {
            return new ListenAddress(
                    command, option, text, new InetSocketAddress(InetAddress.getByName(read.host()), read.port()));
        } catch (IOException e) {
            throw new ParameterException(
                    command, option + ": the host '" + read.host() + "' does not resolve; " + HostPort.advice(example));
        }
    }

    /** Refuses an address that other machines can reach, unless {@code guard}. {@code otherwise} is advice. */
    public void guarded(boolean guard, String otherwise) {
        if (!guard && !socket.getAddress().isLoopbackAddress()) {
            throw new ParameterException(
                    command,
                    option + ": '" + text + "' is an address that other machines can reach; give " + otherwise
                            + ", or listen on 127.0.0.1");
        }
    }

    /** Reads a token from a file, because all users of a machine can see its command lines. Empty without a file. */
    public static String token(CommandLine command, @Nullable Path file) {
        if (file == null) {
            return "";
        }
        String token;
        try (InputStream in = Files.newInputStream(file)) {
            byte[] read = in.readNBytes(LONGEST + 1);
            // A truncated token would be a different token.
            token = read.length > LONGEST ? "" : new String(read, StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new ParameterException(command, "--token-file: '" + file + "' cannot be read");
        }
        if (token.isEmpty() || !token.chars().allMatch(c -> c > ' ' && c <= '~')) {
            throw new ParameterException(
                    command, "--token-file: '" + file + "' must hold one token of visible characters");
        }
        return token;
    }
}

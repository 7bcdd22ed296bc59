package weir.feature.hosts;

import java.io.DataInput;
import java.io.IOException;
import java.util.regex.Pattern;
import weir.worker.link.LinkFrame;

/**
 * The first frame of an agent, which describes the agent and its machine.
 *
 * @param host the name of the machine
 * @param name the name of the host in the run
 */
public record Hello(
        int protocol, String build, String java, String host, String name, int processors, long memoryBytes, long pid) {
    /** Increases with each change of the protocol between agents and conductors. */
    public static final int PROTOCOL = 4;

    /** The limit in bytes of a frame from a peer before its introduction. */
    static final int LONGEST = 4_000;

    private static final Pattern TEXT = Pattern.compile("[ -~]{0,200}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    public Hello {
        for (String text : new String[] {build, java, host}) {
            if (!TEXT.matcher(text).matches()) {
                throw new IllegalArgumentException("each text in HELLO must have at most 200 visible characters");
            }
        }
        if (!named(name)) {
            throw new IllegalArgumentException(
                    "a host name must begin with a letter or digit and have at most 63 letters, digits, '.', '_' and '-'");
        }
        if (processors < 1 || memoryBytes < 1 || pid < 1) {
            throw new IllegalArgumentException("processors, memory and process id of a host must be at least 1");
        }
    }

    public static boolean named(String name) {
        return NAME.matcher(name).matches();
    }

    public LinkFrame frame() {
        return LinkFrame.of(LinkFrame.Kind.HELLO, out -> {
            out.writeInt(protocol);
            out.writeUTF(build);
            out.writeUTF(java);
            out.writeUTF(host);
            out.writeUTF(name);
            out.writeInt(processors);
            out.writeLong(memoryBytes);
            out.writeLong(pid);
        });
    }

    static Hello read(LinkFrame frame, String ours) throws IOException, LinkRefused {
        if (frame.kind() != LinkFrame.Kind.HELLO) {
            throw new IOException("expected HELLO, found " + frame.kind());
        }
        DataInput in = frame.content();
        int protocol = in.readInt();
        String build = in.readUTF();
        if (!TEXT.matcher(build).matches()) {
            throw new IOException("the build in HELLO is not a text");
        }
        if (protocol != PROTOCOL || !build.equals(ours)) {
            throw new LinkRefused("the conductor is Weir " + ours + " (protocol " + PROTOCOL + "), this worker is Weir "
                    + build + " (protocol " + protocol + "): use the same build on both machines");
        }
        try {
            return new Hello(
                    protocol,
                    build,
                    in.readUTF(),
                    in.readUTF(),
                    in.readUTF(),
                    in.readInt(),
                    in.readLong(),
                    in.readLong());
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage());
        }
    }
}

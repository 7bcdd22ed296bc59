package weir.worker.link;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import weir.io.Io;

/** One message on a link: its length, its kind and its bytes. */
public final class LinkFrame {
    /** The limit of a frame in bytes; the largest frame is the ledger of a long trial. */
    public static final int LONGEST = 256 << 20;

    private static final int HEAD = 5;
    private static final int OF_AGENTS = 128;

    private final Kind kind;
    private final byte[] payload;

    public enum Kind {
        // From a conductor to a worker.
        PREPARE('p'),
        RUN('r'),
        STOP('s'),
        FINISH_SENDING('f'),
        FINISH_READING('g'),
        VERIFY('v'),
        FINISH('q'),
        FOOTPRINT('t'),
        SERVE('h'),
        SPAN('n'),
        RETIRE('z'),
        /** The conductor's clock from the agent of a host, each second. A long silence means a lost host. */
        CLOCK('c'),
        // From a worker to its conductor.
        DONE('D'),
        FAILED('F'),
        WINDOW('W'),
        READINGS('R'),
        EVENT('E'),
        LEDGER('L'),
        // Between a conductor and the agent of a host.
        HELLO('h' + OF_AGENTS),
        WELCOME('w' + OF_AGENTS),
        REFUSED('r' + OF_AGENTS),
        /** The start of a clock measurement with four times as in NTP; the {@link #PONG} contains two of them. */
        PING('i' + OF_AGENTS),
        PONG('o' + OF_AGENTS),
        /** Bytes of one process: a whole frame to it, or a part of its output. */
        CHANNEL('c' + OF_AGENTS),
        SIGNAL('k' + OF_AGENTS),
        /** The end of a process's input, which asks the process to end. */
        CLOSE('e' + OF_AGENTS),
        ENDED('d' + OF_AGENTS),
        LOG('g' + OF_AGENTS),
        /** A request to create, start or undo something on a host. */
        CALL('u' + OF_AGENTS),
        ANSWER('v' + OF_AGENTS),
        BYE('q' + OF_AGENTS);

        private final int letter;

        Kind(int letter) {
            this.letter = letter;
        }
    }

    public interface Content {
        public void write(DataOutput out) throws IOException;
    }

    private LinkFrame(Kind kind, byte[] payload) {
        this.kind = kind;
        this.payload = payload;
    }

    public static LinkFrame of(Kind kind, Content content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Io.attempt("writing to memory", () -> content.write(new DataOutputStream(bytes)));
        return new LinkFrame(kind, bytes.toByteArray());
    }

    public static LinkFrame of(Kind kind, String text) {
        return new LinkFrame(kind, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Reads a frame. Allocates memory for received bytes, not for the announced length. */
    public static LinkFrame read(DataInputStream in) throws IOException {
        return read(in, LONGEST);
    }

    public static LinkFrame read(DataInputStream in, int longest) throws IOException {
        int length = in.readInt();
        Kind kind = kind(in.readUnsignedByte());
        if (length < 0 || length > longest) {
            throw new IOException("a frame has " + length + " bytes, so another program writes to this stream");
        }
        byte[] payload = in.readNBytes(length);
        if (payload.length < length) {
            throw new EOFException();
        }
        return new LinkFrame(kind, payload);
    }

    private static Kind kind(int letter) throws IOException {
        for (Kind kind : Kind.values()) {
            if (kind.letter == letter) {
                return kind;
            }
        }
        throw new IOException("a frame of kind " + letter + " is unknown, so another program writes to this stream");
    }

    public void write(DataOutput out) throws IOException {
        out.writeInt(payload.length);
        out.writeByte(kind.letter);
        out.write(payload);
    }

    public Kind kind() {
        return kind;
    }

    public int size() {
        return HEAD + payload.length;
    }

    public String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }

    public DataInputStream content() {
        return new DataInputStream(new ByteArrayInputStream(payload));
    }
}

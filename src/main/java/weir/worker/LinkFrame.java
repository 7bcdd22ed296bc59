package weir.worker;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** One message between a worker and its conductor: its length, its kind and its bytes. */
final class LinkFrame {
    /** A ledger of a long trial is the largest of all. */
    private static final int LONGEST = 256 << 20;

    private static final int PIECE = 1 << 20;

    private final Kind kind;
    private final byte[] payload;

    /** The kind of message in a frame, and the byte that stands for it. */
    enum Kind {
        PREPARE('p'),
        RUN('r'),
        STOP('s'),
        FINISH_SENDING('f'),
        FINISH_READING('g'),
        VERIFY('v'),
        FINISH('q'),
        SERVE('h'),
        SPAN('n'),
        RETIRE('z'),
        DONE('D'),
        FAILED('F'),
        WINDOW('W'),
        READING('R'),
        EVENT('E'),
        LEDGER('L');

        private final char letter;

        Kind(char letter) {
            this.letter = letter;
        }
    }

    /** Writes what a frame holds. */
    interface Content {
        void write(DataOutput out) throws IOException;
    }

    private LinkFrame(Kind kind, byte[] payload) {
        this.kind = kind;
        this.payload = payload;
    }

    static LinkFrame of(Kind kind, Content content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            content.write(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return new LinkFrame(kind, bytes.toByteArray());
    }

    static LinkFrame of(Kind kind, String text) {
        return new LinkFrame(kind, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Reads one frame, allocating no more than has really arrived. */
    static LinkFrame read(DataInputStream in) throws IOException {
        int length = in.readInt();
        Kind kind = kind(in.readUnsignedByte());
        if (length < 0 || length > LONGEST) {
            throw new IOException("a frame has " + length + " bytes: something else writes to this stream");
        }
        ByteArrayOutputStream payload = new ByteArrayOutputStream(Math.min(length, PIECE));
        byte[] piece = new byte[Math.min(length, PIECE)];
        while (payload.size() < length) {
            int wanted = Math.min(piece.length, length - payload.size());
            in.readFully(piece, 0, wanted);
            payload.write(piece, 0, wanted);
        }
        return new LinkFrame(kind, payload.toByteArray());
    }

    private static Kind kind(int letter) throws IOException {
        for (Kind kind : Kind.values()) {
            if (kind.letter == letter) {
                return kind;
            }
        }
        throw new IOException("a frame of kind " + letter + ": something else writes to this stream");
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(payload.length);
        out.writeByte(kind.letter);
        out.write(payload);
    }

    Kind kind() {
        return kind;
    }

    String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }

    DataInput content() {
        return new DataInputStream(new ByteArrayInputStream(payload));
    }
}

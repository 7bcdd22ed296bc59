package weir.plan.read;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import weir.plan.Problem;
import weir.plan.Problems;

/** Reads the text of a file that can be an experiment at all. */
final class ExperimentText {
    private static final int LARGEST = 1 << 20;

    private ExperimentText() {}

    /**
     * The text, or why there is none.
     *
     * @throws Problems if it is a folder, too large, binary or not there
     */
    static String of(Path file) {
        String name = file.toString();
        if (Files.isDirectory(file)) {
            throw problem(name, "is a folder; name the experiment file in it");
        }
        if (!Files.exists(file)) {
            throw problem(name, "is not there");
        }
        if (!Files.isReadable(file)) {
            throw problem(name, "cannot be read; its permissions forbid it");
        }
        // A pipe or a device has no size, and might never end.
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw problem(name, "has more than " + LARGEST + " bytes; an experiment is a page of text");
            }
            return text(name, bytes);
        } catch (IOException e) {
            throw problem(name, "cannot be read: " + e.getMessage());
        }
    }

    private static String text(String name, byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                throw problem(name, bytes, i, "is not text but binary data");
            }
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CoderResult read = StandardCharsets.UTF_8.newDecoder().decode(in, out, true);
        if (read.isError()) {
            throw problem(name, bytes, in.position(), "is not UTF-8 text from this byte on");
        }
        return out.flip().toString();
    }

    private static Problems problem(String file, byte[] bytes, int at, String message) {
        int line = 1;
        int column = 1;
        for (int i = 0; i < at; i++) {
            column = bytes[i] == '\n' ? 1 : column + 1;
            line += bytes[i] == '\n' ? 1 : 0;
        }
        return new Problems(List.of(new Problem(file, line, column, "", message)));
    }

    private static Problems problem(String file, String message) {
        return new Problems(List.of(Problem.of(file, message)));
    }
}

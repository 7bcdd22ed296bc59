package weir.plan;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (text.indexOf('\0') >= 0) {
                throw problem(name, "is not text but binary data");
            }
            return text;
        } catch (CharacterCodingException e) {
            throw problem(name, "is not UTF-8 text");
        } catch (IOException e) {
            throw problem(name, "cannot be read: " + e.getMessage());
        }
    }

    private static Problems problem(String file, String message) {
        return new Problems(List.of(Problem.of(file, message)));
    }
}

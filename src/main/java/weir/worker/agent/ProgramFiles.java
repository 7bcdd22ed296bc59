package weir.worker.agent;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import weir.plan.read.Hash;

/**
 * The jars that Weir itself consists of, as they go to another host.
 *
 * @param folder where they are
 * @param names those of the jars, the one that is started first
 * @param hash of all names and contents
 */
record ProgramFiles(Path folder, List<String> names, String hash) {
    private static final String JAR = ".jar";
    private static final int PIECE = 1 << 16;
    private static final int DIGITS = 32;

    ProgramFiles {
        names = List.copyOf(names);
    }

    static boolean inOneJar(String classPath) {
        return classPath.endsWith(JAR) && !classPath.contains(File.pathSeparator);
    }

    static ProgramFiles ours() {
        return of(System.getProperty("java.class.path"));
    }

    static ProgramFiles of(String classPath) {
        if (!inOneJar(classPath)) {
            throw new IllegalStateException(
                    "this program does not run from its jar, so it cannot be copied to another host; start it by"
                            + " 'weir' itself");
        }
        Path jar = Path.of(classPath).toAbsolutePath();
        Path folder = jar.resolveSibling("");
        try (Stream<Path> all = Files.list(folder)) {
            String first = jar.getFileName().toString();
            List<String> others = all.map(each -> each.getFileName().toString())
                    .filter(name -> name.endsWith(JAR) && !name.equals(first))
                    .sorted()
                    .toList();
            List<String> names =
                    Stream.concat(Stream.of(first), others.stream()).toList();
            return new ProgramFiles(folder, names, hash(folder, names));
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + folder, e);
        }
    }

    private static String hash(Path folder, List<String> names) throws IOException {
        MessageDigest digest = Hash.digest();
        byte[] piece = new byte[PIECE];
        for (String name : names) {
            digest.update((name + "\n").getBytes(StandardCharsets.UTF_8));
            try (var in = Files.newInputStream(folder.resolve(name))) {
                for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                    digest.update(piece, 0, read);
                }
            }
        }
        return HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
    }
}

package weir.feature.hosts;

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
import java.util.zip.ZipFile;
import weir.plan.read.Hash;

/**
 * The jars of this program. The name of a build, VERSION+HASH, is the same for builds of the same sources. So two
 * processes with the same build name run the same program.
 *
 * @param names the names of the jars; the first one is the started jar
 */
public record ProgramFiles(Path folder, List<String> names) {
    private static final String JAR = ".jar";
    private static final char BEFORE_HASH = '+';
    private static final int SHOWN = 12;

    public ProgramFiles {
        names = List.copyOf(names);
    }

    static ProgramFiles ofThisProcess() {
        return of(System.getProperty("java.class.path"));
    }

    static ProgramFiles of(String classPath) {
        if (!inOneJar(classPath)) {
            throw new IllegalStateException(
                    "this weir does not run from its jar, so it cannot be copied to another host; start weir with"
                            + " its launcher, 'weir'");
        }
        Path jar = Path.of(classPath).toAbsolutePath();
        Path folder = jar.resolveSibling("");
        try (Stream<Path> all = Files.list(folder)) {
            String first = jar.getFileName().toString();
            Stream<String> others = all.map(each -> each.getFileName().toString())
                    .filter(name -> name.endsWith(JAR) && !name.equals(first))
                    .sorted();
            return new ProgramFiles(
                    folder, Stream.concat(Stream.of(first), others).toList());
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + folder, e);
        }
    }

    private static boolean inOneJar(String classPath) {
        return classPath.endsWith(JAR) && !classPath.contains(File.pathSeparator);
    }

    /** The name of this build; only its version if it does not run from its jar. */
    public static String build(String version) {
        return inOneJar(System.getProperty("java.class.path"))
                ? version + BEFORE_HASH + ofThisProcess().hash()
                : version;
    }

    /** Compares the complete names if both have a hash, otherwise only the versions. */
    public static boolean sameBuild(String one, String other) {
        boolean hashed = one.indexOf(BEFORE_HASH) >= 0 && other.indexOf(BEFORE_HASH) >= 0;
        return hashed ? one.equals(other) : version(one).equals(version(other));
    }

    private static String version(String build) {
        return build.split("\\+", 2)[0];
    }

    String copy() {
        return names.get(0) + "-" + hash();
    }

    String hash() {
        MessageDigest digest = Hash.digest();
        try (ZipFile first = new ZipFile(folder.resolve(names.get(0)).toFile())) {
            first.stream()
                    .map(entry -> entry.getName() + " " + entry.getCrc() + "\n")
                    .sorted()
                    .forEach(line -> digest.update(line.getBytes(StandardCharsets.UTF_8)));
            for (String library : names.subList(1, names.size())) {
                long size = Files.size(folder.resolve(library));
                digest.update((library + " " + size + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + folder, e);
        }
        return HexFormat.of().formatHex(digest.digest()).substring(0, SHOWN);
    }
}

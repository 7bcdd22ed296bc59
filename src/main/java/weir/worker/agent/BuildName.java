package weir.worker.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.ZipFile;
import weir.plan.read.Hash;

/**
 * The name VERSION+HASH of a build, by which two processes know that they run the same program. Builds of the same
 * sources have the same name, whenever and wherever they were made.
 */
public final class BuildName {
    private static final char BEFORE_HASH = '+';
    private static final int SHOWN = 12;

    private BuildName() {}

    public static String ours(String version) {
        String classPath = System.getProperty("java.class.path");
        return ProgramFiles.inOneJar(classPath) ? of(ProgramFiles.of(classPath), version) : version;
    }

    static String of(ProgramFiles program, String version) {
        MessageDigest digest = Hash.digest();
        List<String> jars = program.names();
        try {
            contents(program.folder().resolve(jars.get(0)))
                    .forEach(line -> digest.update(line.getBytes(StandardCharsets.UTF_8)));
            for (String library : jars.subList(1, jars.size())) {
                long size = Files.size(program.folder().resolve(library));
                digest.update((library + " " + size + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + program.folder(), e);
        }
        return version + BEFORE_HASH + HexFormat.of().formatHex(digest.digest()).substring(0, SHOWN);
    }

    private static List<String> contents(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            return zip.stream()
                    .map(entry -> entry.getName() + " " + entry.getCrc() + "\n")
                    .sorted()
                    .toList();
        }
    }

    /** Compares whole names if both have a hash, and otherwise versions only. */
    public static boolean same(String one, String other) {
        boolean hashed = one.indexOf(BEFORE_HASH) >= 0 && other.indexOf(BEFORE_HASH) >= 0;
        return hashed ? one.equals(other) : version(one).equals(version(other));
    }

    private static String version(String build) {
        int hash = build.indexOf(BEFORE_HASH);
        return hash < 0 ? build : build.substring(0, hash);
    }
}

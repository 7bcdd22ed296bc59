package weir.cluster.start;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import weir.cluster.broker.BrokerMain;
import weir.host.mbean.LocalMBeans;
import weir.io.Io;

/** A jar with {@link BrokerMain}, so that a broker's class path contains no other class of Weir. */
public final class BrokerLauncherJar {
    private static final List<String> CLASSES = Stream.of(
                    BrokerMain.class.getName(), BrokerMain.class.getName() + "$Formatted", LocalMBeans.class.getName())
            .map(name -> name.replace('.', '/') + ".class")
            .toList();

    private BrokerLauncherJar() {}

    public static Path jar(Path cache) {
        byte[] jar = bytes();
        CRC32 sum = new CRC32();
        sum.update(jar);
        Path file = cache.resolve("launcher-" + HexFormat.of().toHexDigits(sum.getValue(), 8) + ".jar");
        return Io.attempt("writing " + file, () -> {
            if (!Files.isRegularFile(file)) {
                Path whole = Files.createTempFile(Files.createDirectories(cache), "launcher", ".new");
                Files.write(whole, jar);
                Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
            return file;
        });
    }

    private static byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes)) {
            for (String name : CLASSES) {
                JarEntry entry = new JarEntry(name);
                entry.setTime(0);
                jar.putNextEntry(entry);
                try (InputStream content = BrokerMain.class.getResourceAsStream("/" + name)) {
                    if (content == null) {
                        throw new IllegalStateException(name + " is missing from Weir's own jar");
                    }
                    content.transferTo(jar);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("packing the broker's main", e);
        }
        return bytes.toByteArray();
    }
}

package weir.feature.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.feature.hosts.HostCalls.OfferedFile;
import weir.feature.hosts.HostCalls.Op;
import weir.plan.LoadSpec;
import weir.plan.read.Hash;
import weir.worker.Assignment;
import weir.worker.WorkerFailed;
import weir.worker.link.LinkJson;

/**
 * The files of this machine that processes on another host need: jars, values, trust stores, keys and certificates. The
 * host stores each file at its original path below a folder. After the run, the host keeps only jars and values.
 */
record SentFiles(RemoteHost host) {
    private static final String LOCATION = ".location";
    private static final int PIECE = 1 << 20;

    private static final class FilesByText {
        final Map<String, OfferedFile> files = new LinkedHashMap<>();

        void add(SortedMap<String, String> properties) {
            properties.forEach((name, value) -> {
                if (value.startsWith("/") || name.endsWith(LOCATION)) {
                    add(value, Path.of("").toAbsolutePath(), false);
                }
            });
        }

        void add(String text, Path folder, boolean kept) {
            try {
                Path file = folder.resolve(text).normalize();
                if (!text.isEmpty() && !files.containsKey(text) && Files.isRegularFile(file)) {
                    files.put(text, offered(file, kept));
                }
            } catch (InvalidPathException noFile) {
                return;
            }
        }
    }

    static OfferedFile offered(Path file, boolean kept) {
        try {
            return new OfferedFile(file.toString(), Hash.of(file), Files.size(file), kept);
        } catch (IOException e) {
            throw new WorkerFailed(
                    "a worker on another host needs '" + file + "', but the file cannot be read: " + e.getMessage());
        }
    }

    Assignment placed(Assignment assignment) {
        FilesByText texts = new FilesByText();
        Path folder = Path.of(assignment.folder()).toAbsolutePath();
        LoadSpec load = assignment.variant().load();
        load.messages().value().files().forEach(file -> texts.add(file.toString(), folder, true));
        load.parts().forEach(part -> part.files().forEach(file -> texts.add(file.toString(), folder, false)));
        texts.add(assignment.client());
        texts.add(assignment.producer());
        texts.add(assignment.consumer());
        return texts.files.isEmpty() ? assignment : LinkJson.replaced(assignment, Assignment.class, sent(texts));
    }

    SortedMap<String, String> placed(SortedMap<String, String> properties) {
        FilesByText texts = new FilesByText();
        texts.add(properties);
        Map<String, String> there = sent(texts);
        SortedMap<String, String> placed = new TreeMap<>(properties);
        placed.replaceAll((name, value) -> there.getOrDefault(value, value));
        return placed;
    }

    private Map<String, String> sent(FilesByText texts) {
        Map<String, String> there = new HashMap<>();
        if (!texts.files.isEmpty()) {
            String root = send(new ArrayList<>(texts.files.values()));
            texts.files.forEach((text, file) -> there.put(text, root + file.path()));
        }
        return there;
    }

    List<String> jars(List<String> entries) {
        FilesByText texts = new FilesByText();
        for (String entry : entries) {
            Path jar = Path.of(entry).toAbsolutePath().normalize();
            if (!Files.isRegularFile(jar)) {
                throw new WorkerFailed("'" + jar + "' is not a jar, and only jars can be sent to host '" + host.name()
                        + "'; pack the classes into a jar");
            }
            texts.files.put(entry, offered(jar, true));
        }
        Map<String, String> there = sent(texts);
        return entries.stream().map(entry -> there.getOrDefault(entry, entry)).toList();
    }

    private String send(List<OfferedFile> files) {
        // With the lock, two threads never send the same file.
        synchronized (host) {
            try {
                HostCalls.MissingFiles wanted = host.ask(HostCalls.MissingFiles.class, Op.OFFER, files);
                for (int index : wanted.files()) {
                    send(files.get(index));
                }
                return wanted.root().toString();
            } catch (IOException | WorkerFailed | IndexOutOfBoundsException e) {
                throw new WorkerFailed("sending files: " + e.getMessage());
            }
        }
    }

    private void send(OfferedFile file) throws IOException {
        try (InputStream in = Files.newInputStream(Path.of(file.path()))) {
            long at = 0;
            boolean whole = false;
            while (!whole) {
                byte[] piece = in.readNBytes(PIECE);
                whole = host.ask(Boolean.class, Op.TAKE, file, at, piece);
                at += piece.length;
            }
        }
    }
}

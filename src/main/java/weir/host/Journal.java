package weir.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What this process would leave behind if it were killed now, written down so that a later one can clear it.
 *
 * <p>One file for each process: a line {@code + entry} when something comes to be and {@code - entry} when it is gone.
 */
public final class Journal implements AutoCloseable {
    private static final String SUFFIX = ".txt";

    private final Path file;
    private final Set<String> open = new LinkedHashSet<>();

    private Journal(Path file) {
        this.file = file;
    }

    /** The journal of this process in the state folder of this user. */
    public static Journal open() {
        return open(state());
    }

    public static Journal open(Path state) {
        ProcessId us = ProcessId.of(ProcessHandle.current().pid());
        Path folder = state.resolve("journal");
        try {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            // Renamed into place with its owner in it: one without would look like that of a dead process. The name is
            // not just the pid, because several journals of one process must not delete each other.
            Path file = Files.createTempFile(folder, us.pid() + "-", ".new");
            Files.writeString(file, "owner " + us.pid() + " " + us.started() + "\n");
            String name = file.getFileName().toString();
            Path whole = file.resolveSibling(name.substring(0, name.length() - ".new".length()) + SUFFIX);
            return new Journal(Files.move(file, whole, StandardCopyOption.ATOMIC_MOVE));
        } catch (IOException e) {
            throw new UncheckedIOException("opening a journal in " + folder, e);
        }
    }

    /** {@code $XDG_STATE_HOME/weir}, or {@code ~/.local/state/weir}. */
    public static Path state() {
        String home = System.getenv().getOrDefault("XDG_STATE_HOME", "");
        return home.startsWith("/")
                ? Path.of(home, "weir")
                : Path.of(System.getProperty("user.home"), ".local/state/weir");
    }

    public void child(ProcessId child) {
        add("child " + child.pid() + " " + child.started());
    }

    public void childGone(ProcessId child) {
        remove("child " + child.pid() + " " + child.started());
    }

    /** A folder that nobody needs after us. */
    public void folder(Path folder) {
        add(entry(folder));
    }

    public void folderGone(Path folder) {
        remove(entry(folder));
    }

    /** The URI of a folder ends in a slash only while it is there, and it comes and goes between the two calls. */
    private static String entry(Path folder) {
        return "folder " + folder.toUri().toString().replaceFirst("/+$", "");
    }

    /** A new folder that only this user can read, outside of any run; in the journal until it is deleted. */
    public Path newFolder(String name) {
        try {
            Path folder = Files.createTempDirectory(file.resolveSibling(""), name + "-");
            folder(folder);
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException("making a folder beside " + file, e);
        }
    }

    /** A topic on a cluster that outlives us. */
    public void topic(String bootstrap, String name) {
        add("topic " + bootstrap + " " + name);
    }

    public void topicGone(String bootstrap, String name) {
        remove("topic " + bootstrap + " " + name);
    }

    private synchronized void add(String entry) {
        if (open.add(entry)) {
            append("+ " + entry);
        }
    }

    private synchronized void remove(String entry) {
        if (open.remove(entry)) {
            append("- " + entry);
        }
    }

    private void append(String line) {
        try {
            Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + file, e);
        }
    }

    /** Keeps the file when something is still left. */
    @Override
    public synchronized void close() {
        if (open.isEmpty()) {
            delete(file);
        }
    }

    /** What processes that are no more left behind. */
    public static List<Leftovers> leftovers(Path state) {
        Path folder = state.resolve("journal");
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted()
                    .map(Journal::read)
                    .filter(found -> !found.owner().alive())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("listing " + folder, e);
        }
    }

    /** Kills the children, deletes the folders, and forgets all; tells what it did, a line each. */
    public static List<String> clear(Leftovers left) {
        List<String> done = new ArrayList<>();
        for (ProcessId child : left.children()) {
            if (child.kill()) {
                done.add("killed process " + child.pid());
            }
        }
        for (Path folder : left.folders()) {
            if (Folders.delete(folder)) {
                done.add("deleted " + folder);
            }
        }
        left.topics()
                .forEach(topic -> done.add("topic '" + topic.name() + "' is still on " + topic.bootstrap()
                        + ", unless somebody deleted it"));
        delete(left.journal());
        return done;
    }

    private static Leftovers read(Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
        ProcessId owner = new ProcessId(0, "");
        Set<String> open = new LinkedHashSet<>();
        for (String line : lines) {
            if (line.startsWith("+ ")) {
                open.add(line.substring(2));
            } else if (line.startsWith("- ")) {
                open.remove(line.substring(2));
            } else if (line.startsWith("owner ")) {
                owner = process(line);
            }
        }
        List<ProcessId> children = open.stream()
                .filter(entry -> entry.startsWith("child "))
                .map(Journal::process)
                .filter(ProcessId::alive)
                .toList();
        List<Path> folders = open.stream()
                .filter(entry -> entry.startsWith("folder "))
                .map(entry -> Path.of(URI.create(entry.substring(7))))
                .toList();
        List<Leftovers.Topic> topics = open.stream()
                .filter(entry -> entry.startsWith("topic "))
                .map(entry -> entry.split(" ", 3))
                .map(word -> new Leftovers.Topic(word[1], word[2]))
                .toList();
        return new Leftovers(owner, file, children, folders, topics);
    }

    private static ProcessId process(String entry) {
        String[] word = entry.split(" ", 3);
        return new ProcessId(Long.parseLong(word[1]), word[2]);
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("deleting " + file, e);
        }
    }
}

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
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
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
            Files.writeString(file, owner(us) + "\n");
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
        add(entry("folder", folder));
    }

    public void folderGone(Path folder) {
        remove(entry("folder", folder));
    }

    /** A run that has begun. What it measured is worth keeping, whatever becomes of us. */
    public void run(Path folder) {
        add(entry("run", folder));
    }

    public void runOver(Path folder) {
        remove(entry("run", folder));
    }

    /** The URI of a folder ends in a slash only while it is there, and it comes and goes between the two calls. */
    private static String entry(String kind, Path folder) {
        return kind + " " + folder.toUri().toString().replaceFirst("/+$", "");
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
        return all(state).stream().filter(found -> !found.owner().alive()).toList();
    }

    /** The folders of runs that are under way. */
    public static List<Path> running(Path state) {
        return all(state).stream()
                .filter(found -> found.owner().alive())
                .flatMap(found -> found.runs().stream())
                .toList();
    }

    private static List<Leftovers> all(Path state) {
        Path folder = state.resolve("journal");
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted()
                    .map(Journal::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("listing " + folder, e);
        }
    }

    /**
     * Kills the children, deletes the folders, and forgets all but topics, which {@link #forget} does; tells what it did,
     * a line each.
     */
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
        forget(left, List.of());
        return done;
    }

    /** Clears all that killed processes left behind; tells what it did, and which topics are left, a line each. */
    public static List<String> clearAll(Path state) {
        List<String> done = new ArrayList<>();
        for (Leftovers left : leftovers(state)) {
            done.addAll(clear(left));
            left.topics()
                    .forEach(topic -> done.add("topic '" + topic.name() + "' may still be on " + topic.bootstrap()
                            + "; 'weir doctor --clean' deletes it"));
        }
        return done;
    }

    /** Drops topics that are gone, and the journal with the last of them; processes and folders must be gone already. */
    public static void forget(Leftovers left, Collection<Leftovers.Topic> gone) {
        List<String> kept = left.topics().stream()
                .filter(topic -> !gone.contains(topic))
                .map(topic -> "+ topic " + topic.bootstrap() + " " + topic.name())
                .toList();
        if (kept.isEmpty()) {
            delete(left.journal());
            return;
        }
        List<String> lines = new ArrayList<>(List.of(owner(left.owner())));
        lines.addAll(kept);
        Path part = left.journal().resolveSibling(left.journal().getFileName() + ".part");
        try {
            Files.write(part, lines);
            Files.move(part, left.journal(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + left.journal(), e);
        }
    }

    private static String owner(ProcessId us) {
        return "owner " + us.pid() + " " + us.started();
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
                owner = process(words(line)).orElse(owner);
            }
        }
        List<ProcessId> children = new ArrayList<>();
        List<Path> folders = new ArrayList<>();
        List<Leftovers.Topic> topics = new ArrayList<>();
        List<Path> runs = new ArrayList<>();
        for (String entry : open) {
            String[] words = words(entry);
            switch (words[0]) {
                case "child" -> process(words).filter(ProcessId::alive).ifPresent(children::add);
                case "folder" -> folder(words).ifPresent(folders::add);
                case "topic" -> {
                    if (words.length == 3) {
                        topics.add(new Leftovers.Topic(words[1], words[2]));
                    }
                }
                case "run" -> folder(words).ifPresent(runs::add);
                default -> {}
            }
        }
        return new Leftovers(owner, file, children, folders, topics, runs);
    }

    // A line that was cut when its process was killed says nothing, and must not keep the others from being cleared.
    private static String[] words(String line) {
        return line.split(" ", 3);
    }

    private static Optional<ProcessId> process(String[] words) {
        return words.length == 3 && words[1].matches("\\d{1,18}")
                ? Optional.of(new ProcessId(Long.parseLong(words[1]), words[2]))
                : Optional.empty();
    }

    private static Optional<Path> folder(String[] words) {
        try {
            return words.length == 2 ? Optional.of(Path.of(URI.create(words[1]))) : Optional.empty();
        } catch (IllegalArgumentException cut) {
            return Optional.empty();
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("deleting " + file, e);
        }
    }
}

package weir.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.host.DiskThrottle.KernelSetting;
import weir.host.Leftovers.ResourceType;
import weir.io.Io;
import weir.plan.syntax.ShellWord;

/**
 * A record of all resources that this process must remove. After a kill, a later process uses the record to clean up.
 * In the file, {@code + entry} is a new resource and {@code - entry} a removed resource. Several processes may clean up
 * after the same process at the same time. A process that finds no open entry deletes the file.
 */
public final class Journal implements AutoCloseable {
    private static final String SUFFIX = ".txt";
    private static final String BETWEEN = "~";
    private static final String FOLDER = "folder";
    private static final String RUN = "run";
    /** The kind of a control group, which the kernel keeps until it is removed. */
    static final String GROUP = "cgroup";

    private static final String SETTING = "setting";
    static final String MOUNT = "mount";
    private static final String REPORTED = "reported";
    private static final int MOST_NAMES = 3;
    /** An end that makes a truncated line one word too long, so that readers ignore the line. */
    private static final String CUT = " ?\n";

    private final Path file;
    private final Set<String> open = new LinkedHashSet<>();
    private int names;
    private boolean cut;

    public record Cleared(List<String> done, List<String> failed) {
        public Cleared {
            done = List.copyOf(done);
            failed = List.copyOf(failed);
        }

        public List<String> lines() {
            return Stream.concat(done.stream(), failed.stream()).toList();
        }
    }

    private Journal(Path file) {
        this.file = file;
    }

    public static Journal open() {
        return open(state());
    }

    public static Journal open(Path state) {
        ProcessId us = ProcessId.of(ProcessHandle.current().pid());
        Path folder = state.resolve("journal");
        return Io.attempt("opening a journal in " + folder, () -> {
            Files.createDirectories(folder, Io.OWN_FOLDER);
            // The name contains the owner, because a file without an owner would look like that of a dead process. The
            // random part separates several journals of one process.
            return new Journal(Files.createTempFile(folder, us.pid() + BETWEEN + us.started() + BETWEEN, SUFFIX));
        });
    }

    public static Path state() {
        return HomeFolders.ofThisUser().state();
    }

    public void child(ProcessId child) {
        add(entry(child));
    }

    public void childGone(ProcessId child) {
        remove(entry(child));
    }

    private static String entry(ProcessId child) {
        return "child " + child.pid() + " " + child.started();
    }

    public void folder(Path folder) {
        add(entry(FOLDER, folder));
    }

    public void folderGone(Path folder) {
        remove(entry(FOLDER, folder));
    }

    public void delete(Path folder) {
        OwnedFolders.delete(folder);
        folderGone(folder);
    }

    /** Records a started run, because its measurements must be kept even if this process is killed. */
    public void run(Path folder) {
        add(entry(RUN, folder));
    }

    public void runOver(Path folder) {
        remove(entry(RUN, folder));
    }

    /** Uses the folder's URI without the final slash, which Java adds only while the folder exists. */
    static String entry(String kind, Path folder) {
        return kind + " "
                + folder.toAbsolutePath().normalize().toUri().toString().replaceFirst("/+$", "");
    }

    static String entry(KernelSetting before) {
        return entry(SETTING, before.file()) + " " + encoded(before.value());
    }

    /** Creates a folder that only this user can read; it is in the journal until it is deleted. */
    public Path newFolder(String name) {
        return newFolder(home(), name);
    }

    Path home() {
        return file.resolveSibling("");
    }

    public synchronized Path newFolder(Path parent, String name) {
        Path folder = parent.resolve(unique(name));
        folder(folder);
        return Io.attempt("making " + folder, () -> Files.createDirectory(folder, Io.OWN_FOLDER));
    }

    public synchronized String unique(String name) {
        String own = String.valueOf(file.getFileName()).replaceFirst(".*" + BETWEEN, "");
        return name + "-" + own.substring(0, own.length() - SUFFIX.length()) + "-" + ++names;
    }

    /** Records a resource before it is created on a cluster that outlives Weir. */
    public void resource(Leftovers.Resource resource) {
        add(entry(resource));
    }

    public void resourceGone(Leftovers.Resource resource) {
        remove(entry(resource));
    }

    private static String entry(Leftovers.Resource resource) {
        return resource.type().word() + " " + encoded(resource.bootstrap()) + " " + encoded(resource.name());
    }

    private static String encoded(String word) {
        return URLEncoder.encode(word, StandardCharsets.UTF_8);
    }

    synchronized void add(String entry) {
        if (open.add(entry)) {
            append("+ " + entry);
        }
    }

    synchronized void remove(String entry) {
        if (open.remove(entry)) {
            try {
                append("- " + entry);
            } catch (UncheckedIOException full) {
                // A later clean-up finds that the file is gone, as if this process had died now.
                return;
            }
        }
    }

    private void append(String line) {
        String text = (cut ? CUT : "") + line + "\n";
        // On a full disk, the line may be truncated.
        cut = true;
        Io.attempt("writing " + file, () -> Files.writeString(file, text, StandardOpenOption.APPEND));
        cut = false;
    }

    /** Undoes everything that is still in this journal, as a later process does after a kill. */
    public synchronized void undo() {
        List<String> failed = read(file).map(left -> clear(left).failed()).orElse(List.of());
        if (!failed.isEmpty()) {
            throw new IllegalStateException(String.join("; ", failed));
        }
    }

    @Override
    public synchronized void close() {
        if (open.stream().allMatch(entry -> entry.startsWith(RUN + " "))) {
            erase(file);
        }
    }

    public static List<Leftovers> leftovers(Path state) {
        return all(state).stream().filter(found -> !found.owner().alive()).toList();
    }

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
                    .flatMap(file -> read(file).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("listing " + folder, e);
        }
    }

    /**
     * Kills the children, removes their control groups, restores kernel settings, unmounts disks and deletes the
     * folders. Cluster resources stay until {@link #forget}; items that cannot be undone stay in the journal.
     */
    public static Cleared clear(Leftovers left) {
        List<String> done = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        List<String> gone = new ArrayList<>();
        for (ProcessId child : left.children()) {
            undo(child.kill(), "killed process " + child.pid(), done);
            gone.add(entry(child));
        }
        for (Path group : left.groups()) {
            try {
                undo(Shield.remove(group), "removed control group " + group, done);
                gone.add(entry(GROUP, group));
            } catch (UncheckedIOException e) {
                failed.add("control group " + group + " could not be removed (" + e.getCause() + "); by hand: rmdir "
                        + ShellWord.of(group.toString()));
            }
        }
        for (KernelSetting setting : left.settings()) {
            try {
                undo(setting.write(), "wrote '" + setting.value() + "' to " + setting.file(), done);
                gone.add(entry(setting));
            } catch (UncheckedIOException e) {
                failed.add(setting.file() + " could not be restored (" + e.getCause() + "); by hand: echo "
                        + ShellWord.of(setting.value()) + " > "
                        + ShellWord.of(setting.file().toString()));
            }
        }
        for (Path folder : left.mounts()) {
            try {
                undo(DiskImage.unmount(folder), "unmounted " + folder, done);
                gone.add(entry(MOUNT, folder));
            } catch (UncheckedIOException | IllegalStateException e) {
                failed.add("the disk under " + folder + " could not be unmounted (" + e.getMessage()
                        + "); by hand: umount " + ShellWord.of(folder.toString()));
            }
        }
        for (Path folder : left.folders()) {
            try {
                undo(OwnedFolders.delete(folder), "deleted " + folder, done);
                gone.add(entry(FOLDER, folder));
            } catch (UncheckedIOException e) {
                failed.add(undeleted(folder, e));
            }
        }
        settle(left.journal(), gone);
        return new Cleared(done, failed);
    }

    private static void undo(boolean there, String what, List<String> done) {
        if (there) {
            done.add(what);
        }
    }

    public static String undeleted(Path folder, UncheckedIOException why) {
        return folder + " could not be deleted (" + why.getCause() + "); by hand: rm -r "
                + ShellWord.of(folder.toString());
    }

    public static List<String> clearAll(Path state) {
        return leftovers(state).stream()
                .flatMap(left -> clear(left).lines().stream())
                .map(line -> "clean-up after a killed weir: " + line)
                .toList();
    }

    /** Returns one line about resources on clusters that Weir has not yet reported; empty without such resources. */
    public static Optional<String> unreported(Path state) {
        List<String> names = new ArrayList<>();
        for (Leftovers left : leftovers(state)) {
            if (!left.reported() && !left.resources().isEmpty()) {
                left.resources()
                        .forEach(resource -> names.add(
                                resource.type().word() + " '" + resource.name() + "' on " + resource.bootstrap()));
                append(left.journal(), "+ " + REPORTED + "\n");
            }
        }
        String more = names.size() > MOST_NAMES ? " and " + (names.size() - MOST_NAMES) + " more" : "";
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of("an earlier run may have left behind "
                        + names.stream().limit(MOST_NAMES).collect(Collectors.joining(", ")) + more
                        + "; 'weir doctor --clean' deletes the rest");
    }

    public static void forget(Leftovers left, Collection<Leftovers.Resource> gone) {
        settle(left.journal(), gone.stream().map(Journal::entry).toList());
    }

    private static void settle(Path journal, List<String> gone) {
        append(journal, gone.stream().map(entry -> "- " + entry + "\n").collect(Collectors.joining()));
        read(journal)
                .filter(left -> left.children().isEmpty()
                        && left.groups().isEmpty()
                        && left.settings().isEmpty()
                        && left.mounts().isEmpty()
                        && left.folders().isEmpty()
                        && left.resources().isEmpty())
                .ifPresent(left -> erase(journal));
    }

    private static void append(Path journal, String lines) {
        try {
            Files.writeString(journal, CUT + lines, StandardOpenOption.APPEND);
        } catch (NoSuchFileException byAnother) {
            // The journal was deleted meanwhile.
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + journal, e);
        }
    }

    private static Optional<Leftovers> read(Path file) {
        String text;
        try {
            text = Files.readString(file);
        } catch (NoSuchFileException ended) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
        Set<String> open = new LinkedHashSet<>();
        // A truncated line, from a killed process, must not prevent the clearing of other entries.
        text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(line -> {
            if (line.startsWith("+ ")) {
                open.add(line.substring(2));
            } else if (line.startsWith("- ")) {
                open.remove(line.substring(2));
            }
        });
        List<ProcessId> children = new ArrayList<>();
        List<Path> groups = new ArrayList<>();
        List<KernelSetting> settings = new ArrayList<>();
        List<Path> mounts = new ArrayList<>();
        List<Path> folders = new ArrayList<>();
        List<Leftovers.Resource> resources = new ArrayList<>();
        List<Path> runs = new ArrayList<>();
        for (String entry : open) {
            String[] words = entry.split(" ", -1);
            try {
                switch (words[0] + " " + words.length) {
                    case "child 3" -> children.add(new ProcessId(Long.parseLong(words[1]), words[2]));
                    case GROUP + " 2" -> groups.add(path(words));
                    case SETTING + " 3" -> settings.add(new KernelSetting(path(words), decoded(words[2])));
                    case MOUNT + " 2" -> mounts.add(path(words));
                    case FOLDER + " 2" -> folders.add(path(words));
                    case "topic 3", "group 3", "throttle 3" -> resources.add(resource(words));
                    case RUN + " 2" -> runs.add(path(words));
                    default -> {}
                }
            } catch (IllegalArgumentException cut) {
                // The line is truncated.
            }
        }
        String[] name = String.valueOf(file.getFileName()).split(BETWEEN, -1);
        ProcessId owner = name.length > 1 && name[0].matches("\\d{1,18}")
                ? new ProcessId(Long.parseLong(name[0]), name[1])
                : new ProcessId(0, "");
        return Optional.of(new Leftovers(
                owner, file, children, groups, settings, mounts, folders, resources, runs, open.contains(REPORTED)));
    }

    private static Path path(String[] words) {
        return Path.of(URI.create(words[1]));
    }

    private static Leftovers.Resource resource(String[] words) {
        ResourceType type = ResourceType.valueOf(words[0].toUpperCase(Locale.ROOT));
        return new Leftovers.Resource(type, decoded(words[1]), decoded(words[2]));
    }

    private static String decoded(String word) {
        return URLDecoder.decode(word, StandardCharsets.UTF_8);
    }

    private static void erase(Path file) {
        Io.attempt("deleting " + file, () -> Files.deleteIfExists(file));
    }
}

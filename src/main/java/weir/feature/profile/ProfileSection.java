package weir.feature.profile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import weir.report.RunView;
import weir.report.Section.SidePages;
import weir.report.block.Block;
import weir.report.block.Table;
import weir.results.UnreadableRunException;
import weir.results.value.NumberFormat;

/**
 * The report section about the profiles of a run: the most expensive methods of each profile, and the largest
 * differences between two profiles. Flame graphs are separate pages.
 */
final class ProfileSection {
    private static final int TOP = 10;
    private static final int MOST_NAMED = 3;
    private static final int TABLES = 12;

    private final SidePages pages;
    private final ShownProfile.Stacks stacks;
    private final Set<String> written = new HashSet<>();
    private final List<String> notes = new ArrayList<>();
    private final Table shares =
            new Table(1, "profile", "profiler samples", "GC share", "compiler share", "kernel share");
    private final List<Block.Text> links = new ArrayList<>();
    private final List<Block> frames = new ArrayList<>();
    private final List<Block> changes = new ArrayList<>();
    private boolean more;

    private ProfileSection(SidePages pages, ShownProfile.Stacks stacks) {
        this.pages = pages;
        this.stacks = stacks;
    }

    static List<Block> page(RunView run, SidePages pages) {
        if (run.profiled().isEmpty()) {
            pages.afterwards()
                    .accept(() -> FlameFolder.keepOnly(Set.of(), run.folder().path()));
            return List.of();
        }
        return page(run, pages, ShownProfile.Stacks.ON_DISK);
    }

    static List<Block> page(RunView run, SidePages pages, ShownProfile.Stacks stacks) {
        return new ProfileSection(pages, stacks).of(run);
    }

    private List<Block> of(RunView run) {
        notes.addAll(ShownProfile.notes(run));
        List<ShownProfile> read = readable(ShownProfile.of(run), this::show);
        readable(ShownDifference.of(run.asked().compare(), read, notes::add), this::show);
        pages.afterwards()
                .accept(() -> FlameFolder.keepOnly(written, run.folder().path()));
        List<Block> blocks = new ArrayList<>();
        blocks.add(Block.note(
                "Each variant was profiled in an extra trial at the end, because a profiler slows down a process."
                        + " No other figure of this report comes from these trials."));
        notes.forEach(note -> blocks.add(Block.text(note)));
        blocks.add(shares.as("t-profiles", "Profiles"));
        blocks.add(Block.text(
                pages.kept()
                        ? "Flame graphs are pages in the folder of the run. The links work only if this file is"
                                + " in the same folder:"
                        : "weir report writes report.html and a page for each flame graph to the folder of the run:"));
        blocks.add(Block.list("", links));
        blocks.addAll(frames);
        blocks.addAll(changes);
        if (more) {
            blocks.add(Block.note("The tables of the other profiles are on the pages of these profiles."));
        }
        return blocks;
    }

    private <T> List<T> readable(List<T> all, Consumer<T> reading) {
        List<T> read = new ArrayList<>();
        for (T one : all) {
            try {
                reading.accept(one);
                read.add(one);
            } catch (UnreadableRunException e) {
                notes.add(String.valueOf(e.getMessage()));
            }
        }
        return read;
    }

    private void show(ShownProfile profile) {
        StackTree tree = profile.tree(stacks);
        Map<CpuShare, Long> parts = CpuShare.of(tree);
        shares.row(
                profile.title(),
                NumberFormat.count(profile.result().samples()),
                share(profile, parts, CpuShare.GC),
                share(profile, parts, CpuShare.COMPILER),
                share(profile, parts, CpuShare.KERNEL));
        if (profile.empty()) {
            links.add(
                    Block.text(profile.title() + ": no samples" + doubted(" – " + profile.taken(), profile.doubts())));
            return;
        }
        List<StackTree.Method> methods = tree.methods();
        put(profile.page(), () -> FlamePage.of(profile, tree, methods));
        link("Flame graph: " + profile.title(), profile.page(), doubted(" – " + profile.taken(), profile.doubts()));
        add(frames, profile.doubts(), FlamePage.frames(profile, methods, TOP).as(id(profile.page()), profile.title()));
    }

    private void show(ShownDifference shown) {
        ProfileDifference difference = shown.read(stacks);
        List<ProfileDifference.Change> all = difference.changes();
        put(shown.page(), () -> FlamePage.of(shown, difference, all));
        link("Difference: " + shown.title(), shown.page(), doubted("", shown.doubts()));
        Table table = FlamePage.changes(all, TOP)
                .column("beyond noise", FlamePage::noise)
                .as(id(shown.page()), shown.title() + ": " + ProfileScale.unit(shown.event()));
        add(changes, shown.doubts(), table);
    }

    private void put(String file, Supplier<String> page) {
        pages.put().accept(FlameFolder.NAME + "/" + file, page);
        written.add(file);
    }

    private static String doubted(String text, List<String> doubts) {
        return text + doubts.stream().map(doubt -> " – " + doubt).collect(Collectors.joining());
    }

    private void add(List<Block> tables, List<String> doubts, Table table) {
        if (tables.stream().filter(Table.class::isInstance).count() < TABLES) {
            doubts.forEach(doubt -> tables.add(Block.text(doubt)));
            tables.add(table);
        } else {
            more = true;
        }
    }

    private void link(String text, String page, String remark) {
        Block.Text entry = pages.kept()
                ? Block.styled("").with(Block.Mark.LINK, text, FlameFolder.NAME + "/" + page)
                : Block.text(text);
        links.add(entry.with(Block.Mark.PLAIN, remark));
    }

    private static String id(String page) {
        return "t-profile-" + page.replace(".html", "");
    }

    private static String share(ShownProfile profile, Map<CpuShare, Long> shares, CpuShare of) {
        boolean seen = profile.result().event() == ProfileSpec.Event.CPU
                && !profile.result().biased()
                && !profile.empty()
                && (of != CpuShare.KERNEL || profile.result().kernel());
        return seen ? FlamePage.percent(profile.percent(shares.getOrDefault(of, 0L))) : NumberFormat.MISSING;
    }

    static List<Block> brief(RunView run) {
        return new ProfileSection(SidePages.NONE, ShownProfile.Stacks.ON_DISK).lines(run);
    }

    private List<Block> lines(RunView run) {
        List<Block> blocks = new ArrayList<>();
        run.brokenWhileProfiled().forEach(broken -> blocks.add(Block.warning(broken)));
        ShownProfile.notes(run).forEach(note -> blocks.add(Block.text("profile of " + note)));
        List<ShownProfile> all = ShownProfile.of(run);
        all.stream()
                .filter(ShownProfile::tooShort)
                .forEach(profile -> blocks.add(
                        Block.text("profile of " + profile.title() + ": " + String.join("; ", profile.doubts()))));
        List<ShownProfile> seen = all.stream()
                .filter(profile -> profile.result().event() == ProfileSpec.Event.CPU)
                .toList();
        List<ShownProfile> read = readable(seen, profile -> {
            List<StackTree.Method> methods = profile.tree(stacks).methods();
            if (!profile.empty()) {
                blocks.add(Block.text("profile of " + profile.title() + ": " + top(profile, methods)));
            }
        });
        readable(ShownDifference.of(run.asked().compare(), read, reason -> {}), shown -> {
            List<ProfileDifference.Change> beyond = shown.read(stacks).changes().stream()
                    .filter(ProfileDifference.Change::beyond)
                    .limit(MOST_NAMED)
                    .toList();
            blocks.add(Block.text("profile of " + shown.title() + ": "
                    + (beyond.isEmpty()
                            ? "no frame differs beyond the noise"
                            : changed(beyond) + " " + ProfileScale.unit(shown.event()))));
        });
        return blocks;
    }

    private static String top(ShownProfile profile, List<StackTree.Method> methods) {
        List<String> lines = methods.stream()
                .limit(MOST_NAMED)
                .map(method -> String.format(
                        Locale.ROOT,
                        "%s %s",
                        FlamePage.name(method.name()),
                        FlamePage.percent(profile.percent(method.firstItself()))))
                .toList();
        return String.join(", ", lines);
    }

    private static String changed(List<ProfileDifference.Change> changes) {
        return String.join(
                ", ",
                changes.stream()
                        .map(change -> FlamePage.name(change.name()) + " " + FlamePage.signed(change.difference()))
                        .toList());
    }

    static final class FlameFolder {
        static final String NAME = "profile";

        private static final Pattern PAGE =
                Pattern.compile("[0-9]{2,}-(over-[0-9]{2,}-)?[a-z][a-z0-9-]*-(cpu|alloc|lock|wall)\\.html");

        private FlameFolder() {}

        /** Removes the pages of an earlier report that this report lacks, and no other file. */
        static void keepOnly(Set<String> written, Path run) {
            Path pages = run.resolve(NAME);
            if (!Files.isDirectory(pages, LinkOption.NOFOLLOW_LINKS)) {
                return;
            }
            try (DirectoryStream<Path> files = Files.newDirectoryStream(pages, "*.html")) {
                for (Path file : files) {
                    String name = String.valueOf(file.getFileName());
                    if (PAGE.matcher(name).matches() && !written.contains(name) && ours(file)) {
                        Files.delete(file);
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException("removing pages of an earlier report from " + pages, e);
            }
        }

        private static boolean ours(Path file) throws IOException {
            return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    && Files.size(file) <= FlamePage.LARGEST
                    && Files.readString(file).contains(FlamePage.FOOTER);
        }
    }

    /** A part of a JVM's CPU time outside the application's code. Each sample counts in at most one part. */
    enum CpuShare {
        GC,
        COMPILER,
        KERNEL;

        private static final String OF_KERNEL = "_[k]";
        private static final List<String> COLLECTORS =
                List.of("[GC Thread", "[G1 ", "[Concurrent", "[Shenandoah", "[ZWorker", "[ZDriver", "[XWorker");
        private static final List<String> COMPILERS = List.of("[C1 Compiler", "[C2 Compiler", "[JVMCI");
        private static final String VM = "[VM Thread";

        private static final List<String> COLLECTIONS = List.of("Collect", "GC_", "G1");

        public static Map<CpuShare, Long> of(StackTree tree) {
            Map<CpuShare, Long> shares = new EnumMap<>(CpuShare.class);
            for (CpuShare share : values()) {
                shares.put(share, 0L);
            }
            for (StackTree.Frame thread : tree.root().below()) {
                if (startsWith(thread.name(), COLLECTORS)) {
                    shares.merge(GC, thread.first(), Long::sum);
                } else if (startsWith(thread.name(), COMPILERS)) {
                    shares.merge(COMPILER, thread.first(), Long::sum);
                } else {
                    boolean vm = thread.name().startsWith(VM);
                    thread.below().forEach(frame -> add(frame, vm, shares));
                }
            }
            return shares;
        }

        private static boolean startsWith(String name, List<String> beginnings) {
            return beginnings.stream().anyMatch(name::startsWith);
        }

        private static void add(StackTree.Frame frame, boolean vm, Map<CpuShare, Long> shares) {
            if (vm && COLLECTIONS.stream().anyMatch(frame.name()::contains)) {
                shares.merge(GC, frame.first(), Long::sum);
            } else if (frame.name().endsWith(OF_KERNEL)) {
                shares.merge(KERNEL, frame.first(), Long::sum);
            } else {
                frame.below().forEach(child -> add(child, vm, shares));
            }
        }
    }
}

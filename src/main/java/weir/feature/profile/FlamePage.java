package weir.feature.profile;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import weir.report.Page;
import weir.report.block.Block;
import weir.report.block.ChartJson;
import weir.report.block.GlossaryLinks;
import weir.report.block.Html;
import weir.report.block.Table;
import weir.results.value.NumberFormat;

/** The HTML page with one flame graph, or with the difference of two profiles, and a table of the frames. */
final class FlamePage {
    static final int LARGEST = 300_000;

    static final String FOOTER =
            "Made by Weir. The folder of the trial has the stacks in collapsed format for other tools.";

    private static final int ROWS = 60;
    private static final int LONGEST_NAME = 160;

    private FlamePage() {}

    static String of(ShownProfile profile, StackTree tree, List<StackTree.Method> methods) {
        ProfileScale scale = profile.scale();
        List<String> sentences = new ArrayList<>(List.of(profile.taken() + ".", bias(profile), kernel(profile)));
        sentences.addAll(profile.doubts());
        String unit = profile.unit();
        return fitting(
                profile.title(),
                sentences,
                frames(profile, methods, ROWS).as("t-profile", "Frames by their own share"),
                longest -> FlameData.of(tree, scale, unit, longest));
    }

    static String of(ShownDifference shown, ProfileDifference difference, List<ProfileDifference.Change> changes) {
        String unit = ProfileScale.unit(shown.event());
        ProfileDifference.Change whole = difference.whole();
        List<String> sentences = new ArrayList<>(List.of(
                String.format(
                        Locale.ROOT,
                        "%s: %s in %s, %s in %s%s.",
                        unit,
                        NumberFormat.threeDigits(whole.before()),
                        shown.first().variant(),
                        NumberFormat.threeDigits(whole.after()),
                        shown.second().variant(),
                        whole.beyond() ? "" : ", which is within the noise"),
                "Red frames cost more in " + shown.second().variant() + ", blue frames less. Grey frames changed by"
                        + " at most " + NumberFormat.threeDigits(ProfileScale.BEYOND)
                        + " standard deviations of the samples. The width of a frame is its mean cost in both variants,"
                        + " so frames of only one variant are also visible.",
                bias(shown.second())));
        sentences.addAll(shown.doubts());
        return fitting(
                shown.title(),
                sentences,
                changes(changes, ROWS)
                        .column("change of self", change -> signed(change.itself()))
                        .column("beyond noise", FlamePage::noise)
                        .as("t-profile", "Changes in " + unit + "; changes within the noise come last"),
                longest -> FlameData.of(difference.tree(), difference.first(), difference.second(), unit, longest));
    }

    static Table.Columns<ProfileDifference.Change> changes(List<ProfileDifference.Change> changes, int most) {
        return Table.of(1, changes.stream().limit(most).toList())
                .column("frame", change -> name(change.name()))
                .column("cost before", change -> NumberFormat.threeDigits(change.before()))
                .column("cost after", change -> NumberFormat.threeDigits(change.after()))
                .column("cost change", change -> signed(change.difference()));
    }

    static Table frames(ShownProfile profile, List<StackTree.Method> methods, int most) {
        return Table.of(1, methods.stream().limit(most).toList())
                .column("frame", method -> name(method.name()))
                .column("self", method -> percent(profile.percent(method.firstItself())))
                .column("with callees", method -> percent(profile.percent(method.first())))
                .table();
    }

    private static String kernel(ShownProfile profile) {
        return profile.result().kernel() || profile.result().event() != ProfileSpec.Event.CPU
                ? ""
                : "The kernel hides the names of its frames (kernel.perf_event_paranoid, kernel.kptr_restrict).";
    }

    private static String bias(ShownProfile profile) {
        return profile.result().biased()
                ? "Flight Recorder took this profile. It sees only Java code, not the garbage collector, compiler or kernel."
                        + " It samples only places where the compiler described the stack, so a caller may get"
                        + " the samples of its callee."
                : "";
    }

    private static String fitting(String title, List<String> sentences, Table table, IntFunction<String> data) {
        List<Block> header = new ArrayList<>(List.of(new Block.Heading(1, "", title)));
        sentences.stream().filter(sentence -> !sentence.isEmpty()).forEach(text -> header.add(Block.text(text)));
        // The data is ASCII with escapes, so a character is a byte.
        int bare = page(title, header, table, "{}").getBytes(StandardCharsets.UTF_8).length;
        return page(title, header, table, data.apply(LARGEST - bare));
    }

    private static String page(String title, List<Block> header, Table table, String data) {
        // Only headings have links, because the rows are method names with other meanings.
        List<Html> columns =
                table.lines().get(0).stream().map(GlossaryLinks::linked).toList();
        List<Page.Part> parts = List.of(
                new Page.Part("flame-graph", "Flame graph", graph(title, data)),
                new Page.Part("frames", "Frames", List.of(table)),
                new Page.Part("words", "Words", GlossaryLinks.glossary(columns)));
        return Page.of(new Page.Contents(title + " · Weir", header, parts, FOOTER), "flame");
    }

    private static Html graph(String title, String data) {
        Html html = new Html();
        html.open("p", "class", "note")
                .text(
                        "The width of a frame is its share. Each frame is below its caller. The first row shows pools of threads."
                                + " Click or Enter zooms in, arrow keys select a frame, Escape shows all. Very thin frames are combined in "
                                + FlameData.THIN + ". The search skips them, but the table has them.")
                .close();
        html.open("div", "class", "flame-tools");
        html.open("label")
                .text("Search ")
                .open("input", "type", "search", "id", "query", "autocomplete", "off", "spellcheck", "false");
        html.close();
        html.element("button", "Show all", "type", "button", "id", "reset");
        html.element("output", "", "id", "matched", "for", "query").close();
        html.element("p", "", "id", "frame", "class", "flame-frame");
        html.open("div", "id", "flame", "class", "flame", "role", "tree", "aria-label", "Flame graph: " + title)
                .close();
        html.open("noscript")
                .element("p", "The graph needs JavaScript. The table below does not.")
                .close();
        return html.verbatim("script", data, "type", "application/json", "id", "profile");
    }

    static String percent(double percent) {
        return String.format(Locale.ROOT, percent < 10 ? "%.2f %%" : "%.1f %%", percent);
    }

    static String noise(ProfileDifference.Change change) {
        return change.beyond() ? "yes" : "no";
    }

    static String signed(double change) {
        return (change > 0 ? "+" : "") + NumberFormat.threeDigits(change);
    }

    static String name(String frame) {
        return NumberFormat.cut(frame, LONGEST_NAME);
    }

    /**
     * The frames for the script of a page: names once, then depth, name and weight of each frame from the root on. The
     * text omits frames that are too thin to see, then more thin frames until the text is short enough.
     */
    record FlameData(StackTree.Frame root, ProfileScale first, ProfileScale second, boolean both) {
        /** Share of the total weight at which a frame is hardly a pixel wide. */
        private static final double THINNEST = 1e-4;

        static final String THIN = "[thin frames]";
        private static final double DIGITS = 99_999;

        static String of(StackTree tree, ProfileScale scale, String unit, int longest) {
            return new FlameData(tree.root(), scale, scale, false).text(unit, longest);
        }

        static String of(StackTree tree, ProfileScale first, ProfileScale second, String unit, int longest) {
            return new FlameData(tree.root(), first, second, true).text(unit, longest);
        }

        private String text(String unit, int longest) {
            List<StackTree.Frame> seen = new ArrayList<>();
            visible(root, THINNEST * width(root), seen);
            // A stable sort: among equally wide frames, the upper frame stays first.
            seen.sort(Comparator.comparingDouble(this::width).reversed());
            int most = seen.size();
            String text = json(unit, widest(seen, most));
            while (text.length() > longest && most > 1) {
                most = Math.max(1, (int) Math.min(most * 0.9, most * 0.97 * longest / text.length()));
                text = json(unit, widest(seen, most));
            }
            return text;
        }

        private void visible(StackTree.Frame frame, double least, List<StackTree.Frame> seen) {
            seen.add(frame);
            for (StackTree.Frame below : frame.below()) {
                if (width(below) > 0 && width(below) >= least) {
                    visible(below, least, seen);
                }
            }
        }

        private static Set<StackTree.Frame> widest(List<StackTree.Frame> sorted, int most) {
            Set<StackTree.Frame> kept = Collections.newSetFromMap(new IdentityHashMap<>());
            kept.addAll(sorted.subList(0, most));
            return kept;
        }

        private double width(StackTree.Frame frame) {
            return both ? first.cost(frame.first()) + second.cost(frame.second()) : frame.first();
        }

        private record Drawn(int depth, String name, long first, long second) {}

        private String json(String unit, Set<StackTree.Frame> kept) {
            List<Drawn> frames = new ArrayList<>();
            collect(root, 0, kept, frames);
            Map<String, Integer> uses = new HashMap<>();
            frames.forEach(frame -> uses.merge(frame.name(), 1, Integer::sum));
            // The most frequent names have the shortest numbers.
            List<String> names = new ArrayList<>(uses.keySet());
            names.sort(Comparator.comparing((String name) -> -uses.getOrDefault(name, 0))
                    .thenComparing(Comparator.naturalOrder()));
            Map<String, Integer> numbers = new HashMap<>();
            names.forEach(name -> numbers.put(name, numbers.size()));
            double firstUnit = Math.max(1, root.first() / DIGITS);
            double secondUnit = Math.max(1, root.second() / DIGITS);
            ChartJson json = new ChartJson().object();
            json.name("unit").value(unit);
            json.name("first");
            scale(json, first, firstUnit);
            if (both) {
                json.name("second");
                scale(json, second, secondUnit);
            }
            json.name("names").array();
            names.forEach(json::value);
            json.end()
                    .name("depth")
                    .values(frames.stream().mapToDouble(Drawn::depth).toArray());
            json.name("name")
                    .values(frames.stream()
                            .mapToDouble(frame -> numbers.getOrDefault(frame.name(), 0))
                            .toArray());
            json.name("weight")
                    .values(frames.stream()
                            .mapToDouble(frame -> Math.rint(frame.first() / firstUnit))
                            .toArray());
            if (both) {
                json.name("other")
                        .values(frames.stream()
                                .mapToDouble(frame -> Math.rint(frame.second() / secondUnit))
                                .toArray());
            }
            return json.end().toString();
        }

        private static void scale(ChartJson json, ProfileScale scale, double unit) {
            // A double would have only six decimals, too few for the smallest costs.
            json.object()
                    .name("cost")
                    .value(String.valueOf((float) (scale.perWeight() * unit)))
                    .name("sample")
                    .value(String.valueOf((float) (scale.sample() / unit)))
                    .end();
        }

        private void collect(StackTree.Frame frame, int depth, Set<StackTree.Frame> kept, List<Drawn> frames) {
            frames.add(new Drawn(depth, FlamePage.name(frame.name()), frame.first(), frame.second()));
            long first = 0;
            long second = 0;
            for (StackTree.Frame below : frame.below()) {
                if (kept.contains(below)) {
                    collect(below, depth + 1, kept, frames);
                } else {
                    first += below.first();
                    second += below.second();
                }
            }
            // Without these frames, their time would look like that of the frame above.
            if (first + second > 0) {
                frames.add(new Drawn(depth + 1, THIN, first, second));
            }
        }
    }
}

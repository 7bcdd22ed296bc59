package weir.report.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import weir.judge.profile.ProfileScale;
import weir.judge.profile.StackTree;
import weir.report.chart.ChartJson;

/**
 * A tree of frames as the script of its page reads it: names once, and frames from the root on as depth, name and weight.
 * Frames that are too thin to be seen are left out, and so many of the thin ones that the whole is not too long.
 */
final class FlameData {
    /** The share of a frame that is hardly a pixel wide. */
    private static final double THINNEST = 1e-4;

    private static final int LONGEST_NAME = 160;
    /** Characters that a frame takes beside its name, and a name beside its own. */
    private static final int NUMBERS = 16;

    private static final int QUOTES = 3;
    /** Weights are written exactly below it. */
    private static final double DIGITS = 99_999;

    private final StackTree.Frame root;
    private final ProfileScale first;
    private final ProfileScale second;
    private final boolean both;
    private final double whole;

    private FlameData(StackTree.Frame root, ProfileScale first, ProfileScale second, boolean both) {
        this.root = root;
        this.first = first;
        this.second = second;
        this.both = both;
        this.whole = width(root);
    }

    /** The text for one profile. */
    static String of(StackTree tree, ProfileScale scale, String unit, int longest) {
        return new FlameData(tree.root(), scale, scale, false).text(unit, longest);
    }

    /** The text for two. */
    static String of(StackTree tree, ProfileScale first, ProfileScale second, String unit, int longest) {
        return new FlameData(tree.root(), first, second, true).text(unit, longest);
    }

    private String text(String unit, int longest) {
        List<StackTree.Frame> seen = new ArrayList<>();
        collect(root, 0, THINNEST * whole, new ArrayList<>(), seen);
        seen.sort(Comparator.comparingDouble(this::width).reversed());
        int room = longest;
        String text = json(unit, thinnest(seen, room));
        while (text.length() > longest && room > 0) {
            room -= longest / 10;
            text = json(unit, thinnest(seen, room));
        }
        return text;
    }

    /** The width of the last of those frames, the widest first, that together take about so many characters. */
    private double thinnest(List<StackTree.Frame> widestFirst, int room) {
        Set<String> names = new HashSet<>();
        long characters = 0;
        for (StackTree.Frame frame : widestFirst) {
            characters += NUMBERS + (names.add(name(frame)) ? name(frame).length() + QUOTES : 0);
            if (characters > room) {
                // Those that are as wide as this one go with it.
                return Math.nextUp(width(frame));
            }
        }
        return THINNEST * whole;
    }

    private double width(StackTree.Frame frame) {
        return both ? first.cost(frame.first()) + second.cost(frame.second()) : frame.first();
    }

    private String json(String unit, double thinnest) {
        List<Integer> depths = new ArrayList<>();
        List<StackTree.Frame> frames = new ArrayList<>();
        collect(root, 0, thinnest, depths, frames);
        Map<String, Integer> uses = new HashMap<>();
        frames.forEach(frame -> uses.merge(name(frame), 1, Integer::sum));
        // The names that are used most have the shortest numbers.
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
        json.end().name("depth").values(array(depths));
        json.name("name")
                .values(array(frames.stream()
                        .map(frame -> numbers.getOrDefault(name(frame), 0))
                        .toList()));
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
        // Four digits, as of every number; the smallest costs are far below one.
        json.object()
                .name("cost")
                .value(String.valueOf((float) (scale.perWeight() * unit)))
                .name("sample")
                .value(String.valueOf((float) (scale.sample() / unit)))
                .end();
    }

    private static double[] array(List<Integer> numbers) {
        return numbers.stream().mapToDouble(Integer::doubleValue).toArray();
    }

    private static String name(StackTree.Frame frame) {
        String name = frame.name();
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME - 1) + "…";
    }

    private void collect(
            StackTree.Frame frame, int depth, double least, List<Integer> depths, List<StackTree.Frame> frames) {
        depths.add(depth);
        frames.add(frame);
        for (StackTree.Frame below : frame.below()) {
            double width = width(below);
            if (width > 0 && width >= least) {
                collect(below, depth + 1, least, depths, frames);
            }
        }
    }
}

package weir.feature.profile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import weir.report.block.ChartJson;

/**
 * A tree of frames for the script of its page: names once, then depth, name and weight of each frame from the root on.
 * It omits frames that are too thin to see, and more thin ones until the text is short enough.
 */
final class FlameData {
    /** Share of a frame that is hardly a pixel wide. */
    private static final double THINNEST = 1e-4;

    static final String THIN = "[thin frames]";
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

    static String of(StackTree tree, ProfileScale scale, String unit, int longest) {
        return new FlameData(tree.root(), scale, scale, false).text(unit, longest);
    }

    static String of(StackTree tree, ProfileScale first, ProfileScale second, String unit, int longest) {
        return new FlameData(tree.root(), first, second, true).text(unit, longest);
    }

    private String text(String unit, int longest) {
        List<StackTree.Frame> seen = new ArrayList<>();
        visible(root, THINNEST * whole, seen);
        // A stable sort: among equally wide frames, the upper one stays first.
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
        json.end().name("depth").values(array(frames.stream().map(Drawn::depth).toList()));
        json.name("name")
                .values(array(frames.stream()
                        .map(frame -> numbers.getOrDefault(frame.name(), 0))
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
        // Not as a double, whose six decimals would cut the smallest costs.
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
        // Without them, their time would look like the own time of the frame above.
        if (first + second > 0) {
            frames.add(new Drawn(depth + 1, THIN, first, second));
        }
    }
}

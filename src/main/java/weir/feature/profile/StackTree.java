package weir.feature.profile;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The stacks of one or two profiles, merged into a tree from their roots. Each frame has a weight for each profile. */
public final class StackTree {
    /** The limit of depth. Deeper frames are dropped, because the file can be malicious. */
    static final int DEEPEST = 600;

    private final Frame root = new Frame("all");

    /** A frame and all frames that it calls. Its weights include all stacks that contain the frame at this place. */
    public static final class Frame {
        private final String name;
        private final SortedMap<String, Frame> below = new TreeMap<>();
        private long first;
        private long second;

        private Frame(String name) {
            this.name = name;
        }

        public String name() {
            return name;
        }

        public long first() {
            return first;
        }

        public long second() {
            return second;
        }

        public Collection<Frame> below() {
            return List.copyOf(below.values());
        }

        private void add(long weight, boolean toSecond) {
            first += toSecond ? 0 : weight;
            second += toSecond ? weight : 0;
        }

        long firstItself() {
            return first - below.values().stream().mapToLong(Frame::first).sum();
        }

        long secondItself() {
            return second - below.values().stream().mapToLong(Frame::second).sum();
        }
    }

    public void add(String stack, long weight) {
        add(stack, weight, false);
    }

    public void addSecond(String stack, long weight) {
        add(stack, weight, true);
    }

    private void add(String stack, long weight, boolean toSecond) {
        Frame at = root;
        at.add(weight, toSecond);
        int from = 0;
        for (int depth = 0; depth < DEEPEST && from <= stack.length(); depth++) {
            int to = stack.indexOf(';', from);
            int end = to < 0 ? stack.length() : to;
            if (end > from) {
                at = at.below.computeIfAbsent(stack.substring(from, end), Frame::new);
                at.add(weight, toSecond);
            }
            from = end + 1;
        }
    }

    public Frame root() {
        return root;
    }

    /**
     * A method at all its places in stacks; a recursive method counts once in each stack.
     *
     * @param firstItself weight of the first profile's stacks that end with this method
     */
    public record Method(String name, long first, long second, long firstItself, long secondItself) {
        Method plus(Method other) {
            return new Method(
                    name,
                    first + other.first,
                    second + other.second,
                    firstItself + other.firstItself,
                    secondItself + other.secondItself);
        }
    }

    public List<Method> methods() {
        Map<String, Method> methods = new HashMap<>();
        for (Frame thread : root.below.values()) {
            thread.below.values().forEach(frame -> add(frame, new HashSet<>(), methods));
        }
        List<Method> sorted = new ArrayList<>(methods.values());
        sorted.sort(Comparator.comparingLong((Method method) -> method.firstItself() + method.secondItself())
                .thenComparingLong(method -> method.first() + method.second())
                .reversed()
                .thenComparing(Method::name));
        return sorted;
    }

    private static void add(Frame frame, Set<String> above, Map<String, Method> methods) {
        boolean outermost = above.add(frame.name);
        Method here = new Method(
                frame.name,
                outermost ? frame.first : 0,
                outermost ? frame.second : 0,
                frame.firstItself(),
                frame.secondItself());
        methods.merge(frame.name, here, Method::plus);
        frame.below.values().forEach(child -> add(child, above, methods));
        if (outermost) {
            above.remove(frame.name);
        }
    }
}

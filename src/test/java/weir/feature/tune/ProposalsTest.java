package weir.feature.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.feature.tune.SettingSpace.Axis;
import weir.feature.tune.SettingSpace.Point;

/** Searches in made-up worlds whose whole front is known. */
class ProposalsTest {
    /** The claim is about 100 worlds, which take half a minute: {@code -Dtune.worlds=100}. */
    private static final int WORLDS = Integer.getInteger("tune.worlds", 10);

    private static final int TRIED = 50;

    private static final SettingSpace SPACE = new SettingSpace(
            List.of(
                    new Axis("linger", List.of("0", "5", "20", "50", "100"), true),
                    new Axis("batch", List.of("4096", "16384", "65536", "131072", "262144"), true),
                    new Axis("codec", List.of("none", "lz4", "snappy", "zstd"), false),
                    new Axis("flight", List.of("1", "2", "5", "10"), true)),
            point -> true,
            List.of(),
            new Random(1));

    /**
     * A made-up world. Most settings have their own effect on both figures, some pairs have a common effect, and each
     * point has a small one. A setting changes a figure by a factor of about {@code e^±0.5}.
     */
    private static final class World {
        private final Map<Point, ParetoFront.Values> figures = new LinkedHashMap<>();

        World(Random random) {
            int axes = SPACE.axes().size();
            double[][][] single = new double[2][axes][];
            double[][][][] pairs = new double[2][axes][axes][];
            for (int a = 0; a < axes; a++) {
                double size = random.nextDouble() < 0.25 ? 0 : 0.5;
                single[0][a] = curve(SPACE.axes().get(a), random, size);
                single[1][a] = curve(SPACE.axes().get(a), random, size);
                double together = random.nextDouble();
                for (int i = 0; i < single[1][a].length; i++) {
                    single[1][a][i] += together * single[0][a][i];
                }
                for (int b = 0; b < a; b++) {
                    double weight = random.nextDouble() < 0.5 ? 0 : 0.15;
                    for (int figure = 0; figure < 2; figure++) {
                        pairs[figure][a][b] = curve(SPACE.axes().get(a), random, weight);
                        pairs[figure][b][a] = curve(SPACE.axes().get(b), random, 1);
                    }
                }
            }
            for (Point point : SPACE.points()) {
                double[] sums = {0.025 * random.nextGaussian(), 0.025 * random.nextGaussian()};
                for (int figure = 0; figure < 2; figure++) {
                    for (int a = 0; a < axes; a++) {
                        sums[figure] += single[figure][a][point.values().get(a)];
                        for (int b = 0; b < a; b++) {
                            sums[figure] += pairs[figure][a][b][point.values().get(a)]
                                    * pairs[figure][b][a][point.values().get(b)];
                        }
                    }
                }
                figures.put(point, new ParetoFront.Values(sums[0], sums[1], 0));
            }
        }

        private static double[] curve(Axis axis, Random random, double size) {
            double[] curve = new double[axis.values().size()];
            double slope = random.nextGaussian();
            double bend = 0.7 * random.nextGaussian();
            for (int i = 0; i < curve.length; i++) {
                double x = 2.0 * i / (curve.length - 1) - 1;
                curve[i] = size * (axis.scale() ? slope * x + bend * (1 - x * x) : random.nextGaussian());
            }
            return curve;
        }

        ParetoFront.Values at(Point point) {
            return Objects.requireNonNull(figures.get(point));
        }

        ParetoFront.Values measured(Point point, double noise, Random random) {
            ParetoFront.Values truth = at(point);
            return new ParetoFront.Values(
                    truth.rate() + noise * random.nextGaussian(), truth.latency() + noise * random.nextGaussian(), 0);
        }

        /** Returns the share of the front's hypervolume that the points cover. */
        double share(Collection<Point> points) {
            List<ParetoFront.Values> all = List.copyOf(figures.values());
            ParetoFront.Values worst = new ParetoFront.Values(
                    all.stream().mapToDouble(ParetoFront.Values::rate).min().orElseThrow(),
                    all.stream().mapToDouble(ParetoFront.Values::latency).max().orElseThrow(),
                    0);
            return ParetoFront.hypervolume(points.stream().map(this::at).toList(), worst)
                    / ParetoFront.hypervolume(all, worst);
        }
    }

    private static double searched(World world, double noise, int seed) {
        Point defaults = SPACE.points().get(0);
        Random random = new Random(seed * 17L + 3);
        Proposals proposals = new Proposals(SPACE, List.of(defaults), point -> 0, new Random(seed));
        for (int i = 0; i < TRIED; i++) {
            Point next = proposals.next();
            ParetoFront.Values measured = world.measured(next, noise, random);
            proposals.add(next, Math.exp(measured.rate()), Math.exp(measured.latency()));
        }
        Set<Point> found = new LinkedHashSet<>(proposals.best(TuneBudget.MOST_FINALISTS));
        found.add(defaults);
        return world.share(found);
    }

    /** Returns the hypervolume share of the best measured points among as many random points. */
    private static double drawn(World world, double noise, int seed) {
        Random random = new Random(seed * 13L + 5);
        List<Point> shuffled = new ArrayList<>(SPACE.points());
        Collections.shuffle(shuffled, random);
        Map<Point, ParetoFront.Values> measured = new LinkedHashMap<>();
        shuffled.subList(0, TRIED).forEach(point -> measured.put(point, world.measured(point, noise, random)));
        ParetoFront.Values worst = new ParetoFront.Values(
                measured.values().stream()
                        .mapToDouble(ParetoFront.Values::rate)
                        .min()
                        .orElseThrow(),
                measured.values().stream()
                        .mapToDouble(ParetoFront.Values::latency)
                        .max()
                        .orElseThrow(),
                0);
        Set<Point> found = new LinkedHashSet<>();
        List<ParetoFront.Values> front = new ArrayList<>();
        for (int i = 0; i < TuneBudget.MOST_FINALISTS; i++) {
            Point best = Collections.max(measured.keySet(), Comparator.comparingDouble(point -> {
                List<ParetoFront.Values> with = new ArrayList<>(front);
                with.add(Objects.requireNonNull(measured.get(point)));
                return ParetoFront.hypervolume(with, worst);
            }));
            found.add(best);
            front.add(Objects.requireNonNull(measured.get(best)));
        }
        found.add(SPACE.points().get(0));
        return world.share(found);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.02, 0.06, 0.15})
    @Tag("long")
    void ninetyPercentOfTheFrontIsFoundInNineOfTenWorldsAndMoreThanByChance(double noise) {
        int enough = 0;
        int more = 0;
        for (int seed = 0; seed < WORLDS; seed++) {
            World world = new World(new Random(seed * 31L + 7));
            double found = searched(world, noise, seed);
            enough += found >= 0.9 ? 1 : 0;
            more += found > drawn(world, noise, seed) ? 1 : 0;
        }
        assertThat(enough).isGreaterThanOrEqualTo(nineOfTen(WORLDS));
        assertThat(more).isGreaterThanOrEqualTo(nineOfTen(WORLDS));
    }

    /** Rounds up: nine tenths of six are six. */
    private static int nineOfTen(int count) {
        return (count * 9 + 9) / 10;
    }

    /** Points that are worse in everything and less durable must not attract the search. */
    @Test
    void dominatedClassIsSkipped() {
        SettingSpace space = new SettingSpace(
                List.of(
                        new Axis("acks", List.of("0", "1", "all"), false),
                        new Axis("linger", List.of("0", "5", "20", "50", "100"), true),
                        new Axis("flight", List.of("1", "2", "5", "10"), true)),
                point -> true,
                List.of(),
                new Random(1));
        Proposals proposals =
                new Proposals(space, List.of(), point -> point.values().get(0) * 3, new Random(2));
        Random random = new Random(3);
        int beaten = 0;
        for (int i = 0; i < 40; i++) {
            Point next = proposals.next();
            int acks = next.values().get(0);
            beaten += i >= Proposals.SPREAD && acks < 2 ? 1 : 0;
            double rate =
                    1_000 * (1 + acks) * (1 + 0.2 * next.values().get(1)) * Math.exp(0.02 * random.nextGaussian());
            double latency = 10.0 / (1 + acks) * (1 + next.values().get(1)) * Math.exp(0.02 * random.nextGaussian());
            proposals.add(next, rate, latency);
        }
        assertThat(beaten).isLessThanOrEqualTo(6);
        assertThat(proposals.best(5)).allMatch(point -> point.values().get(0) == 2);
    }

    @Test
    void firstProposalsContainEveryValueOfEveryAxis() {
        List<Point> start = SPACE.latinHypercube(Proposals.SPREAD, new Random(3));
        assertThat(start).doesNotHaveDuplicates().hasSize(Proposals.SPREAD);
        for (int axis = 0; axis < SPACE.axes().size(); axis++) {
            int at = axis;
            assertThat(start.stream().map(point -> point.values().get(at)).distinct())
                    .hasSize(SPACE.axes().get(axis).values().size());
        }
    }

    @Test
    void settingsRefusedByTheClientAreNotProposed() {
        SettingSpace space =
                new SettingSpace(SPACE.axes(), point -> point.values().get(3) != 3, List.of(), new Random(1));
        Proposals proposals = new Proposals(space, List.of(), point -> 0, new Random(1));
        for (int i = 0; i < 30; i++) {
            Point next = proposals.next();
            assertThat(next.values().get(3)).isNotEqualTo(3);
            proposals.add(next, 1_000 + i, 10);
        }
    }

    @Test
    void pointsAreDrawnFromASpaceOfMillions() {
        List<String> many = IntStream.range(0, 100).mapToObj(String::valueOf).toList();
        List<Axis> axes = List.of(
                new Axis("a", many, true),
                new Axis("b", many, true),
                new Axis("c", many, true),
                new Axis("d", many, true));
        Point rare = new Point(List.of(1, 2, 3, 4));
        assertThat(new SettingSpace(axes, point -> true, List.of(rare), new Random(1)).points())
                .contains(rare)
                .doesNotHaveDuplicates()
                .hasSize(2_000);
    }
}

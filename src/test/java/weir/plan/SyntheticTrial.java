package weir.plan;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.trial.Trial;

/** Trials that never run, for tests that only write about them. */
public final class SyntheticTrial {
    /** As in a file without a setting of HTTP. */
    private SyntheticTrial() {}

    public static Trial of(int number, String variant, int repeat) {
        return new Trial(number, variant(variant, new TreeMap<>()), repeat);
    }

    /** Returns a trial whose load these workers share, each with senders and readers. */
    public static Trial shared(int number, int workers) {
        Variant variant = variant(
                "base",
                new TreeMap<>(),
                1,
                new MeasureSpec.AsLongAsRates(),
                new BridgeSpec.None(),
                LoadSpec.Engine.CLIENT,
                workers);
        return new Trial(number, variant, 1);
    }

    /** Returns a trial of {@code operations} messages at this rate. */
    public static Trial counted(int number, double perSecond, long operations) {
        MeasureSpec measure = new MeasureSpec.Operations(operations);
        return new Trial(number, variant("base", new TreeMap<>(), perSecond, measure), 1);
    }

    /** Returns a trial whose events go by HTTP over this path. */
    public static Trial delivered() {
        Variant variant = variant(
                "base",
                new TreeMap<>(),
                1,
                new MeasureSpec.AsLongAsRates(),
                new BridgeSpec.None(),
                LoadSpec.Engine.OTHER,
                1);
        return new Trial(1, variant, 1);
    }

    private static Variant variant(String name, SortedMap<String, Setting> settings) {
        return variant(name, settings, 1, new MeasureSpec.AsLongAsRates());
    }

    private static Variant variant(
            String name, SortedMap<String, Setting> settings, double perSecond, MeasureSpec measure) {
        return variant(name, settings, perSecond, measure, new BridgeSpec.None(), LoadSpec.Engine.CLIENT, 1);
    }

    private static Variant variant(
            String name,
            SortedMap<String, Setting> settings,
            double perSecond,
            MeasureSpec measure,
            BridgeSpec way,
            LoadSpec.Engine engine,
            int workers) {
        LoadSpec load = new LoadSpec(
                LoadSpec.Workload.DELIVER,
                LoadSpec.Target.CLUSTER,
                new RateSpec.Fixed(new Rate(perSecond, Rate.Unit.OPERATIONS), false),
                List.of(),
                new LoadSpec.Stream("", "", LoadSpec.Commit.EACH_BATCH),
                BacklogSpec.NONE,
                new LoadSpec.Producers(workers, engine, new TreeMap<>()),
                new LoadSpec.Consumers(
                        workers,
                        engine,
                        new TreeMap<>(),
                        GroupSpec.ASSIGNED,
                        WorkSpec.NONE,
                        ThreadsSpec.ONE,
                        LoadSpec.Commit.AUTO,
                        new LoadSpec.Outcome(new Ratio(0), new Ratio(0))),
                new LoadSpec.Messages(
                        new KeySpec.None(),
                        new ValueSpec.Generated(
                                new ValueSpec.Size.Fixed(new ByteSize(250)), new ValueSpec.Content.Letters())),
                new TransactionSpec.None(),
                workers,
                Limits.NONE,
                new PlacedSpec.Here(),
                List.of());
        return new Variant(
                name,
                1,
                1,
                ClusterSpec.existing("localhost:1", new TreeMap<>()),
                new TreeMap<>(),
                way,
                load,
                List.of(),
                new WarmupSpec.None(),
                measure,
                Duration.ofSeconds(4),
                Verify.TRUE,
                Map.of(),
                new TreeMap<>(),
                settings);
    }
}

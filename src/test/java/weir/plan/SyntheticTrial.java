package weir.plan;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import weir.plan.trial.Trial;

/** Trials that never run, for tests that only write about them. */
public final class SyntheticTrial {
    private static final String YAML = """
            cluster: { bootstrap: 'localhost:1' }
            load: { workload: deliver, rate: 1/s, value: { size: 250B, content: letters } }
            warmup: none
            drain: 4s
            """;

    private SyntheticTrial() {}

    public static Trial of(int number, String variant, int repeat) {
        return trial(number, variant, repeat, Map.of());
    }

    /** Returns a trial whose load these workers share, each with senders and readers. */
    public static Trial shared(int number, int workers) {
        return trial(
                number,
                "base",
                1,
                Map.of("load.workers", workers, "load.producers", workers, "load.consumers", workers));
    }

    /** Returns a trial of {@code operations} messages at this rate. */
    public static Trial counted(int number, double perSecond, long operations) {
        RateSpec rate = new RateSpec.Fixed(Rate.of(perSecond), false);
        return trial(number, "base", 1, Map.of("load.rate", rate, "measure", new MeasureSpec.Operations(operations)));
    }

    /** Returns a trial whose events go by HTTP over this path. */
    public static Trial delivered() {
        LoadSpec.Engine http = LoadSpec.Engine.OTHER;
        return trial(1, "base", 1, Map.of("load.engine.send", http, "load.engine.receive", http));
    }

    private static Trial trial(int number, String name, int repeat, Map<String, ?> own) {
        Map<String, ?> few = Map.of(
                "name",
                name,
                "topics",
                new TreeMap<>(),
                "load.topics",
                List.of(),
                "load.parts",
                List.of(),
                "measure",
                new MeasureSpec.AsLongAsRates(),
                "settings",
                new TreeMap<>());
        return new Trial(number, RecordKeys.with(RecordKeys.with(Plans.only(YAML), few), own), repeat);
    }
}

package weir.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import weir.load.engine.Engine;
import weir.load.message.Payloads;
import weir.measure.Balance;
import weir.measure.LoadListener;
import weir.measure.Numbers;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.plan.Variant;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;

/** A load on an engine of the test, with the events and windows that it reports. */
public final class EngineLoad implements LoadListener {
    private static final long MILLI = 1_000_000;

    public final List<String> events = new CopyOnWriteArrayList<>();
    private final Map<Long, Snapshot> windows = new TreeMap<>();

    @Override
    public synchronized void window(Snapshot snapshot) {
        windows.merge(snapshot.index(), snapshot.copy(), Snapshot::plus);
    }

    @Override
    public void event(String text) {
        events.add(text);
    }

    public synchronized Numbers numbers() {
        Numbers sum = new Numbers();
        for (Snapshot window : windows.values()) {
            sum = sum.plus(window.numbers(Steps.MEASURE));
        }
        return sum;
    }

    public static Variant variant(Path folder, String yaml) throws IOException {
        Path file = Files.writeString(folder.resolve("load.yaml"), "name: load\n" + yaml);
        return PlanReader.read(file, Overrides.NONE).variants().get(0);
    }

    /** Runs a load. Messages may be sent for {@code drainMillis} after the end; {@code then} runs before the finish. */
    public Balance carry(
            Variant variant,
            Path folder,
            int runTag,
            Engine engine,
            LongSupplier clock,
            long drainMillis,
            Consumer<Load> then) {
        Payloads payloads = Payloads.of(variant.load(), folder, 1);
        LoadPlan plan = LoadPlans.alone(variant, payloads, runTag, System.nanoTime());
        try (Load load = new Load(plan, engine, payloads, clock, this)) {
            load.prepare(Duration.ofSeconds(5));
            // A stage that is already due begins a second later.
            load.measure(System.nanoTime() + 5 * MILLI);
            load.finishSending(System.nanoTime() + drainMillis * MILLI);
            then.accept(load);
            Balance balance = load.finish().balance(Steps.FILL, Steps.MEASURE);
            assertThat(balance.balances()).isTrue();
            return balance;
        }
    }
}

package weir.feature.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import weir.load.Load;
import weir.load.LoadPlans;
import weir.load.engine.Engine;
import weir.load.message.Payloads;
import weir.measure.Balance;
import weir.measure.LoadListener;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.plan.HttpSpec;
import weir.plan.Variant;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;

/** A load of events by HTTP, and what was told of it. */
public final class EventLoad {
    static final long MILLI = 1_000_000;
    static final int RUN_TAG = 0x80fe1234;

    String token = "";
    public HttpSpec.Version version = HttpSpec.Version.HTTP_1_1;
    public HttpSpec.Request form = HttpSpec.Request.RAW;
    final List<String> told = new CopyOnWriteArrayList<>();
    final Map<Long, Snapshot> windows = new TreeMap<>();

    public static Variant variant(Path folder, String load, int operations) throws IOException {
        Path file = Files.writeString(folder.resolve("events.yaml"), """
                name: events
                bridge: { url: "http://gateway" }
                load: { workload: deliver, engine: { send: http, receive: client }, %s }
                warmup: none
                measure: { operations: %d }
                """.formatted(load, operations));
        return PlanReader.read(file, Overrides.NONE).variants().get(0);
    }

    private HttpSpec http(HttpSpec plain) {
        return new HttpSpec(
                plain.connections(),
                version,
                form,
                plain.batch(),
                plain.linger(),
                plain.timeout(),
                plain.retries(),
                plain.trusted(),
                token);
    }

    /** The events of a load are sent to these URLs, and received as asked. */
    public Balance carry(Path folder, Variant variant, HttpReceiving receiving, long drainMillis, String... urls) {
        Payloads payloads = Payloads.of(variant.load(), folder, 1);
        HttpEngine engine = new HttpEngine(
                new HttpEngine.Asked(
                        List.of(urls),
                        List.of(),
                        http(variant.load().producers().http()),
                        variant.load().producers().count(),
                        true),
                System::nanoTime,
                told::add);
        Load carried = new Load(
                LoadPlans.alone(variant, payloads, RUN_TAG, System.nanoTime()),
                new Engine(engine, receiving, receiving),
                payloads,
                System::nanoTime,
                heard());
        try (carried) {
            carried.prepare(Duration.ofSeconds(5));
            carried.measure(System.nanoTime() + 5 * MILLI);
            carried.finishSending(System.nanoTime() + 10_000 * MILLI);
            carried.finishReading(System.nanoTime() + drainMillis * MILLI);
            carried.verify(carried.positions(), System.nanoTime() + MILLI);
            Balance balance = carried.finish().balance(Steps.FILL, Steps.MEASURE);
            assertThat(balance.balances()).isTrue();
            return balance;
        }
    }

    private LoadListener heard() {
        return new LoadListener() {
            @Override
            public void window(Snapshot snapshot) {
                synchronized (windows) {
                    windows.merge(snapshot.index(), snapshot.copy(), Snapshot::plus);
                }
            }

            @Override
            public void event(String text) {
                told.add(text);
            }
        };
    }
}

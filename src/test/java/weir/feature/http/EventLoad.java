package weir.feature.http;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import weir.load.EngineLoad;
import weir.load.engine.Engine;
import weir.measure.Balance;
import weir.plan.RecordKeys;
import weir.plan.Variant;

/** A load of events by HTTP, and its reports. */
public final class EventLoad {
    static final long MILLI = 1_000_000;
    static final int RUN_TAG = 0x80fe1234;

    String token = "";
    public HttpSpec.Version version = HttpSpec.Version.HTTP_1_1;
    public HttpSpec.Request form = HttpSpec.Request.RAW;
    final EngineLoad engineLoad = new EngineLoad();
    final List<String> told = engineLoad.events;

    public static Variant variant(Path folder, String load, int operations) throws IOException {
        return EngineLoad.variant(folder, """
                bridge: { url: "http://gateway" }
                load: { workload: deliver, engine: { send: http, receive: client }, %s }
                warmup: none
                measure: { operations: %d }
                """.formatted(load, operations));
    }

    /** Sends the events of a load to these URLs and receives them. */
    public Balance carry(Path folder, Variant variant, HttpReceiving receiving, long drainMillis, String... urls) {
        HttpEngine engine = new HttpEngine(
                HttpSettings.of(
                        List.of(urls),
                        List.of(),
                        RecordKeys.with(
                                variant.load().part(HttpSpec.class),
                                Map.of(
                                        "version",
                                        version == HttpSpec.Version.HTTP_2 ? "2" : "1.1",
                                        "request",
                                        form,
                                        "token",
                                        token)),
                        variant.load().producers().count(),
                        true),
                System::nanoTime,
                told::add);
        return engineLoad.carry(
                variant, folder, RUN_TAG, new Engine(engine, receiving, receiving), System::nanoTime, 10_000, load -> {
                    load.finishReading(System.nanoTime() + drainMillis * MILLI);
                    load.verify(load.positions(), System.nanoTime() + MILLI);
                });
    }
}

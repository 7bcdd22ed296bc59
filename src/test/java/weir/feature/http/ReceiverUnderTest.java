package weir.feature.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import weir.http.RawClient;
import weir.load.OneInbox;
import weir.load.message.Identity;
import weir.load.message.LoadEvent;
import weir.load.read.Receiver;
import weir.measure.Balance;
import weir.worker.Assignment;

/** A receiver with its thread and an inbox, and the bytes of its client. */
public final class ReceiverUnderTest implements AutoCloseable {
    static final long SEED = 5;

    final OneInbox box = OneInbox.ofArrivals(1);
    final HttpReceiving receiving;
    private final Receiver receiver;
    private final Thread thread;

    ReceiverUnderTest() {
        this(ReceiverSpec.PLAIN);
    }

    ReceiverUnderTest(ReceiverSpec spec) {
        this(asked(spec, List.of(), true, false), System::nanoTime);
    }

    ReceiverUnderTest(HttpReceiving.Asked asked, LongSupplier clock) {
        receiving = new HttpReceiving(asked, clock);
        receiver = receiving.receiver(0, new long[1]);
        thread = new Thread(() -> receiver.fill(box.inbox), "receiver-under-test");
        thread.start();
    }

    public static HttpReceiving.Asked asked(
            ReceiverSpec spec, List<String> holders, boolean inMemory, boolean foreign) {
        Assignment.Receiving path = new Assignment.Receiving("127.0.0.1:0", holders, inMemory, foreign, "");
        return new HttpReceiving.Asked(path, spec, SEED, true, Optional.empty());
    }

    int port() {
        return receiving.address().getPort();
    }

    RawClient client() throws IOException {
        return new RawClient(receiving.address());
    }

    Map<String, Double> figures() {
        Map<String, Double> figures = new TreeMap<>();
        receiving.report(figures::put);
        return figures;
    }

    /** Ends the reader, and returns its balance; producer 0 sent {@code acked} messages. */
    Balance balance(int acked) throws InterruptedException {
        box.acked(0, acked);
        long end = receiving.logEnds()[0];
        box.close();
        thread.join();
        return box.balance(end);
    }

    @Override
    public void close() {
        box.close();
        try {
            thread.join(Duration.ofSeconds(10).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        receiver.close();
        receiving.close();
    }

    static String id(long sequence) {
        byte[] identity = new byte[Identity.BYTES];
        byte[] id = new byte[LoadEvent.ID_LENGTH];
        Identity.write(identity, OneInbox.RUN_TAG, 0, sequence, System.nanoTime());
        LoadEvent.writeId(identity, id);
        return new String(id, StandardCharsets.US_ASCII);
    }

    static String event(long sequence) {
        return event(id(sequence), "data " + sequence);
    }

    static String event(String id, String body) {
        return post(
                body, "Ce-Id: " + id, "ce-specversion: 1.0", "ce-source: /a", "ce-type: b", "content-type: text/plain");
    }

    static String structured(String json) {
        return post(json, "Content-Type: application/cloudevents+json; charset=utf-8");
    }

    static String post(String body, String... headers) {
        return "POST /any HTTP/1.1\r\nHost: 127.0.0.1\r\n" + String.join("\r\n", headers) + "\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body;
    }
}

package weir.feature.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.feature.http.EventLoad;
import weir.feature.http.HttpReceiving;
import weir.feature.http.HttpSpec;
import weir.feature.http.ReceiverSpec;
import weir.host.Ports;
import weir.measure.Balance;
import weir.measure.Count;
import weir.plan.Ratio;
import weir.worker.Assignment;

@Timeout(30)
class ChannelLoadTest {
    @TempDir
    Path folder;

    private static EventProcess channel(String deadLetters, String next) throws IOException {
        PathSpec dispatch = EventProcessUnderTest.dispatch(1, List.of(), 16 << 20);
        return EventProcess.start(
                EventProcessUnderTest.settings(EventProcessSettings.Role.MEMORY_CHANNEL, dispatch, deadLetters, next),
                System::nanoTime);
    }

    private static String url(EventProcess process) {
        return "http://127.0.0.1:" + process.address().getPort();
    }

    /** The receiver fails every second time, so one of four events becomes a dead letter after one retry. */
    @ParameterizedTest
    @CsvSource({"HTTP_1_1, RAW", "HTTP_1_1, STRUCTURED", "HTTP_2, RAW", "HTTP_2, STRUCTURED"})
    void eventsAreReceivedOrParkedBehindAChannel(HttpSpec.Version spoken, HttpSpec.Request asked) throws IOException {
        EventLoad load = new EventLoad();
        load.version = spoken;
        load.form = asked;
        ReceiverSpec fails = new ReceiverSpec("", Duration.ZERO, new Ratio(0.5), "", Path.of(""), Path.of(""));
        int port = new Ports().getAsInt();
        try (SubscriberUnderTest sink = new SubscriberUnderTest();
                EventProcess channel = channel(sink.url(), "http://127.0.0.1:" + port)) {
            HttpReceiving receiving = new HttpReceiving(
                    new HttpReceiving.Asked(
                            new Assignment.Receiving("127.0.0.1:" + port, List.of(url(channel)), true, false, ""),
                            fails,
                            1,
                            true,
                            Optional.empty()),
                    System::nanoTime);
            Balance balance =
                    load.carry(folder, EventLoad.variant(folder, "rate: max", 400), receiving, 20_000, url(channel));
            assertThat(balance.of(Count.ACKED)).isEqualTo(400);
            assertThat(balance.of(Count.PARKED)).isBetween(50L, 150L).isEqualTo(sink.events.size());
            assertThat(balance.of(Count.RECEIVED)).isEqualTo(400 - balance.of(Count.PARKED));
            assertThat(balance.of(Count.LOST)).isZero();
            assertThat(balance.of(Count.FOREIGN)).isZero();
        }
    }
}

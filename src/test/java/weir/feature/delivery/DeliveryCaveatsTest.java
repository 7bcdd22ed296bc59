package weir.feature.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import weir.judge.ProbeSeries;
import weir.judge.caveat.CaveatCollector;
import weir.measure.Reading;
import weir.plan.syntax.CaveatType;
import weir.results.value.Caveat;

class DeliveryCaveatsTest {
    private static List<Caveat> caveats(Reading... readings) {
        CaveatCollector caveats = new CaveatCollector(1);
        DeliveryFeature.DeliveryCaveats.add(ProbeSeries.of(List.of(readings)), 5L, caveats);
        return caveats.found();
    }

    @Test
    void pathWithoutRefusalsRaisesNoCaveat() {
        assertThat(caveats(new Reading(1, "channel", "events.full", 0), new Reading(1, "channel", "events.dropped", 0)))
                .isEmpty();
    }

    @Test
    void droppedEventsSayWhyTheLedgerCallsThemLost() {
        assertThat(caveats(
                        new Reading(1, "channel", "events.dropped", 2),
                        new Reading(2, "channel", "events.dropped", 7),
                        new Reading(2, "channel", "events.retried", 90)))
                .singleElement()
                .matches(caveat -> caveat.is(CaveatType.named("events-dropped")))
                .extracting(Caveat::evidence)
                .isEqualTo("7 events were dropped, because there is no dead letter sink; all events together had 90"
                        + " retries; these counts include warm-up and drain, but the ledger counts only"
                        + " the measured phase: 5");
        assertThat(caveats(new Reading(1, "filter", "events.filtered", 3)))
                .singleElement()
                .extracting(Caveat::evidence)
                .isEqualTo("a filter rejected 3 events; these counts include warm-up and drain, but the"
                        + " ledger counts only the measured phase: 5");
    }

    /** The channel was killed after the first second. */
    @Test
    void refusedEventsAreSummedOverProcessRestarts() {
        assertThat(caveats(
                        new Reading(1, "channel", "events.full", 100),
                        new Reading(2, "channel", "events.full", 20),
                        new Reading(2, "ingress", "events.full", 1_000)))
                .singleElement()
                .matches(caveat -> caveat.is(CaveatType.named("channel-full")))
                .extracting(Caveat::evidence)
                .isEqualTo(
                        "1,120 requests were answered 429, because the process held as many bytes as bridge.memory allows");
    }
}

package weir.feature.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import weir.judge.caveat.Promises;
import weir.judge.caveat.RunCaveats;
import weir.judge.trial.JudgedTrial;
import weir.judge.trial.WrittenTrial;
import weir.measure.Reading;
import weir.plan.Experiment;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.syntax.CaveatType;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.value.Caveat;
import weir.results.value.Event;
import weir.results.value.TrialResult;
import weir.run.Sample;

class HttpCaveatsTest extends WrittenTrial {
    @Test
    void balancerThatStopsUsingServersRaisesADoubt() {
        writer.event(new Event(1, "haproxy servers", "Server gateways/gateway-1 is UP, reason: Layer7 check passed"));
        writer.event(new Event(2, "haproxy servers", "Server gateways/gateway-1 is DOWN, reason: Layer4 timeout"));
        writer.event(new Event(2, "haproxy servers", "backend 'gateways' has no server available"));
        assertThat(judged().caveats())
                .filteredOn(caveat -> caveat.is(CaveatType.named("servers-taken-out")))
                .singleElement()
                .extracting(Caveat::evidence)
                .isEqualTo(
                        "haproxy servers at 2.0 s: Server gateways/gateway-1 is DOWN, reason: Layer4 timeout, and 1 more");
    }

    @Test
    void deathOfABridgeProcessIsADoubtAndNoBrokenPromise() {
        writer.event(new Event(2, "haproxy" + Event.ENDED, "it was killed"));
        assertThat(Promises.kept(folder(), JudgedTrial.of(folder()).result())).isTrue();
        assertThat(JudgedTrial.of(folder()).caveats())
                .filteredOn(caveat -> caveat.is(CaveatType.named("bridge-died")))
                .singleElement()
                .extracting(Caveat::evidence)
                .isEqualTo("haproxy ended at 2.0 s: it was killed");
    }

    /** The trial acked 900 records; {@code perRequest} is the number of records in a request. */
    private List<Caveat> connections(double perRequest, double opened) {
        writer.reading(new Reading(1, "client", "producer.records-per-request-avg", perRequest));
        writer.reading(new Reading(1, "client", "producer.connection-creation-total", 10));
        writer.reading(new Reading(2, "host", "tcp.retransmits", 7));
        writer.reading(new Reading(5, "client", "producer.connection-creation-total", 10 + opened));
        return judged().caveats().stream()
                .filter(caveat -> caveat.is(CaveatType.named("connections-not-kept")))
                .toList();
    }

    @Test
    void connectionForEverySecondRequestRaisesADoubt() {
        assertThat(connections(9, 50))
                .singleElement()
                .extracting(Caveat::evidence)
                .isEqualTo("clients opened 50 connections for 100 requests; 7 segments were retransmitted");
    }

    @Test
    void fewConnectionsWithManyRequestsRaiseNoCaveat() {
        assertThat(connections(1, 64)).isEmpty();
    }

    /** Returns the caveats of two paths with these rates; {@code bridged} is false if the fast one has no bridge. */
    private List<Caveat> ways(double slow, double fast, boolean bridged) throws IOException {
        Path file = Files.writeString(root.resolve("e.yaml"), """
                name: e
                bridge: { url: "http://one" }
                load: { workload: produce, engine: { send: http, receive: client } }
                variants:
                  a: {}
                  b: { bridge: %s }
                """.formatted(
                        bridged ? "{ url: \"http://two\" }" : "null, load: { engine: client }"));
        Experiment experiment = PlanReader.read(file, Overrides.NONE);
        List<TrialResult> trials = new ArrayList<>();
        for (int repeat = 1; repeat <= 4; repeat++) {
            trials.add(Sample.GOOD.acked(fast).trial("a", repeat));
            trials.add(Sample.GOOD.acked(slow).trial("b", repeat));
        }
        return RunCaveats.of(
                experiment,
                RequestedExperiment.of(experiment, "test", "weir"),
                new Machine(Map.of(), Map.of(), List.of()),
                trials);
    }

    @Test
    void pathBelowATenthOfAnotherIsReportedAsBroken() throws IOException {
        List<Caveat> caveats = ways(90, 11_400, true);
        assertThat(caveats).extracting(Caveat::type).contains("slow-path");
        Caveat slow = caveats.stream()
                .filter(caveat -> caveat.is(CaveatType.named("slow-path")))
                .findFirst()
                .orElseThrow();
        assertThat(slow.evidence()).isEqualTo("b carried 90/s, but a carried 11,400/s");
        assertThat(slow.weakens()).isEqualTo("every ratio to b");
        assertThat(ways(2_000, 11_400, true)).noneMatch(caveat -> caveat.is(CaveatType.named("slow-path")));
    }

    @Test
    void pathToKafkaMayBeFarFasterThanHttp() throws IOException {
        assertThat(ways(500_000, 11_400, false)).noneMatch(caveat -> caveat.is(CaveatType.named("slow-path")));
    }
}

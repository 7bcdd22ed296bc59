package weir.judge.answer;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.judge.LoadCurve;
import weir.measure.Welch;
import weir.plan.property.WireProperties;
import weir.results.value.NumberFormat;
import weir.results.value.RateKind;
import weir.results.value.TrialResult;

/**
 * The verdict whether Kafka's client or the brokers limit the rate. The client is the limit if Weir's wire engine
 * reaches a clearly higher rate under the same load. Otherwise the brokers are the limit.
 */
final class ClientOrBroker {
    private static final double SAME = 1.1;

    private static final double FAR = 1.25;

    private static final String ENGINE = "load.engine";
    /** The settings that may differ, because the wire engine may need more connections. */
    private static final List<String> PARTIES = List.of("load.producers", "load.consumers");

    private static final String CLIENT = "client";
    private static final String WIRE = "wire";

    private ClientOrBroker() {}

    static String sentence(List<TrialResult> trials) {
        List<String> variants = TrialResult.variants(trials);
        for (String client : variants) {
            for (String wire : variants) {
                List<TrialResult> ofClient = TrialResult.ofVariant(client, trials);
                List<TrialResult> ofWire = TrialResult.ofVariant(wire, trials);
                if (pair(ofClient.get(0), ofWire.get(0))) {
                    String sentence = sentence(ofClient, ofWire);
                    if (!sentence.isEmpty()) {
                        return sentence;
                    }
                }
            }
        }
        return "";
    }

    private static boolean pair(TrialResult client, TrialResult wire) {
        return CLIENT.equals(client.settings().get(ENGINE))
                && WIRE.equals(wire.settings().get(ENGINE))
                && load(client).equals(load(wire))
                && PARTIES.stream().allMatch(path -> count(wire, path) >= count(client, path));
    }

    private static int count(TrialResult trial, String path) {
        return Integer.parseInt(trial.settings().getOrDefault(path, "1"));
    }

    private static SortedMap<String, String> load(TrialResult trial) {
        SortedMap<String, String> load = new TreeMap<>(trial.settings());
        load.remove(ENGINE);
        load.keySet().removeAll(PARTIES);
        load.keySet()
                .removeIf(path -> path.matches("load\\.(producer|consumer)\\..*")
                        && !WireProperties.known().containsKey(path.replaceFirst("load\\.\\w+\\.", "")));
        return load;
    }

    private static String sentence(List<TrialResult> client, List<TrialResult> wire) {
        boolean sends = client.stream().anyMatch(trial -> trial.mostAckedPerSecond() > 0);
        double[] clients = most(client, sends);
        double[] wires = most(wire, sends);
        Welch welch = Welch.of(wires, clients);
        if (Double.isNaN(welch.ratio()) || (!limited(client) && !limited(wire))) {
            return "";
        }
        boolean known = welch.enough();
        String reached = NumberFormat.rate(Welch.geometricMean(clients));
        if (limited(client) && (known ? welch.low() >= SAME : welch.ratio() >= FAR)) {
            String interval = known ? NumberFormat.interval(welch.low(), welch.high(), NumberFormat::times) : "";
            return "The client is the limit of " + (sends ? "sending, " : "reading, ") + reached + "; the brokers"
                    + " can " + (sends ? "receive " : "deliver ") + (limited(wire) ? "" : "at least ")
                    + NumberFormat.times(welch.ratio())
                    + interval + " as much: the wire engine reached " + NumberFormat.rate(Welch.geometricMean(wires))
                    + (limited(wire) ? "." : ", its whole offered rate.");
        }
        double low = known ? welch.low() : welch.ratio();
        double high = known ? welch.high() : welch.ratio();
        return limited(wire) && high <= SAME && low >= 1 / SAME
                ? "With " + connections(wire.get(0), sends)
                        + " to each broker, the brokers are the limit: the wire engine is not faster than your "
                        + "client, which reached "
                        + reached + "."
                : "";
    }

    /** A broker reads the next request of a connection only after its answer to the previous request. */
    private static String connections(TrialResult wire, boolean sends) {
        int connections = count(wire, PARTIES.get(sends ? 0 : 1));
        return connections == 1 ? "one connection" : connections + " connections";
    }

    private static double[] most(List<TrialResult> trials, boolean sends) {
        return trials.stream()
                .mapToDouble(trial ->
                        sends ? trial.mostAckedPerSecond() : trial.figures().orZero(RateKind.RECEIVED))
                .toArray();
    }

    private static boolean limited(List<TrialResult> trials) {
        LoadCurve curve = LoadCurve.of(trials.get(0).variant(), trials);
        return curve.points().isEmpty() || curve.beyond() != null;
    }
}

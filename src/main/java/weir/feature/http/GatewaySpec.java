package weir.feature.http;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import weir.plan.BridgeSpec;
import weir.plan.EnumNames;
import weir.plan.Limits;
import weir.plan.PlacedSpec;

/**
 * Weir's gateways, directly or behind one balancer or a chain of balancers: {@code bridge.gateway}.
 *
 * @param config file with the user's configuration of the balancer; empty for Weir's configuration
 */
public record GatewaySpec(
        int instances,
        Answer answer,
        Limits within,
        SortedMap<String, String> producer,
        List<Balancer> balancer,
        Path config,
        PlacedSpec placed)
        implements BridgeSpec {
    private static final double FIRST_SECOND = 1;
    private static final double INSTANCE_SECONDS = 0.7;

    public GatewaySpec {
        producer = Collections.unmodifiableSortedMap(new TreeMap<>(producer));
        balancer = balancer.stream().filter(one -> one != Balancer.NONE).toList();
    }

    @Override
    public boolean startedByWeir() {
        return true;
    }

    @Override
    public boolean queued() {
        return answer == Answer.QUEUED;
    }

    @Override
    public String ackedNote() {
        return queued()
                ? "the gateway answers before a broker has the record, so acked means accepted by the gateway"
                : "";
    }

    @Override
    public Map<String, SortedMap<String, String>> clients() {
        return Map.of("bridge.gateway.producer", producer);
    }

    @Override
    public double startSeconds() {
        return FIRST_SECOND + INSTANCE_SECONDS * instances;
    }

    static String gateway(int number) {
        return "gateway-" + number;
    }

    /** @param number from 1; the senders connect to balancer 1 */
    String balancer(int number) {
        return EnumNames.of(balancer.get(number - 1)) + (balancer.size() > 1 ? "-" + number : "");
    }

    @Override
    public SortedMap<String, Integer> processes() {
        SortedMap<String, Integer> all = new TreeMap<>();
        IntStream.rangeClosed(1, instances).forEach(number -> all.put(gateway(number), number - 1));
        IntStream.rangeClosed(1, balancer.size()).forEach(number -> all.put(balancer(number), 0));
        return all;
    }

    public enum Answer {
        QUEUED,
        ACKED
    }

    public enum Balancer {
        NONE,
        HAPROXY,
        NGINX
    }
}

package weir.feature.advice;

import java.util.List;
import java.util.Map;
import weir.host.kernel.KernelFiles;
import weir.probe.brokerhost.BrokerHost;
import weir.probe.brokerhost.KafkaProcess;

/** The facts of a broker's host: facts of the kernel, by their kernel names, and facts that Weir derives. */
record BrokerHostFacts(BrokerHost host) implements AdviceFacts {
    private static final String UNTOLD = "this setting cannot be read; containers and virtual machines often hide it";

    @Override
    public Fact fact(String name) {
        return switch (name) {
            case "dirty" -> dirty("memory.dirty.ratio", "vm.dirty_bytes");
            case "dirty.background" -> dirty("memory.dirty.background.ratio", "vm.dirty_background_bytes");
            case "segments" -> Fact.of(Math.floor(number("vm.max_map_count") / 2));
            case "nodes" -> {
                double nodes = number(BrokerHost.NODES);
                yield Fact.of(nodes, AdviceFacts.whole(nodes) + (nodes == 1 ? " node" : " nodes"));
            }
            case "sockets" -> {
                double least = Math.min(number("net.core.wmem_max"), number("net.core.rmem_max"));
                yield Fact.of(least, AdviceFacts.whole(Math.floor(least * 100 / 1e6)) + " MB/s");
            }
            case "clock" -> {
                String keeper = host.facts().get(BrokerHost.CLOCK);
                if (keeper == null) {
                    throw new Unknown(
                            "no program on this machine synchronizes the clock; if this is a container or a virtual "
                                    + "machine, its host may run such a program");
                }
                yield Fact.of(keeper);
            }
            case "memory.half" -> Fact.of(number("memory.mib") / 2);
            case "cache" ->
                Fact.of(
                        cacheMib(),
                        AdviceFacts.gibibytes(cacheMib()) + " of " + AdviceFacts.gibibytes(number("memory.mib")));
            case "cache.rate" -> Fact.of(Math.max(0, Math.floor(cacheMib() * KernelFiles.MIB / 30 / 1e6)));
            default -> Fact.of(number(name));
        };
    }

    private double number(String fact) {
        return number(host.facts(), fact, UNTOLD);
    }

    static double number(Map<String, String> facts, String fact, String untold) {
        String text = facts.getOrDefault(fact, "");
        if (!text.matches(AdviceFacts.NUMBER)) {
            throw new Unknown(untold);
        }
        return Double.parseDouble(text);
    }

    /** Returns the limit as a share of available memory; 0 if a limit in bytes replaces the share. */
    private Fact dirty(String ratio, String bytes) {
        String set = host.facts().getOrDefault(bytes, "");
        if (set.matches("\\d{1,18}") && Double.parseDouble(set) > 0) {
            throw new Unknown(bytes + " is set to " + AdviceFacts.gibibytes(Double.parseDouble(set) / KernelFiles.MIB)
                    + " and overrides the ratio that this rule checks");
        }
        return AdviceFacts.percent(number(ratio));
    }

    private double cacheMib() {
        double left = number("memory.mib");
        List<KafkaProcess> processes = host.processes();
        if (processes.isEmpty()) {
            throw new Unknown("this user cannot read any Kafka process, so the size of the heap is unknown");
        }
        for (KafkaProcess process : processes) {
            left -= process.heap("mx")
                            .orElseThrow(() ->
                                    new Unknown("the heap of " + process.name() + " is not set on its command line"))
                    / KernelFiles.MIB;
        }
        return left;
    }
}

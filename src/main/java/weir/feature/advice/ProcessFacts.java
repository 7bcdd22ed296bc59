package weir.feature.advice;

import java.util.List;
import java.util.Locale;
import weir.host.kernel.KernelFiles;
import weir.probe.brokerhost.BrokerHost;
import weir.probe.brokerhost.KafkaProcess;
import weir.probe.brokerhost.KafkaProcess.LogFolder;

/** The facts of a Kafka process on a host, and of its log folders. */
record ProcessFacts(BrokerHost host, KafkaProcess process) implements AdviceFacts {
    private static final double LARGEST_HEAP = 6.0 * (1L << 30);
    private static final String PAUSE = "-XX:MaxGCPauseMillis=";

    private static final List<List<String>> BUFFERS = List.of(
            List.of("socket.send.buffer.bytes", "102400", "net.core.wmem_max"),
            List.of("socket.receive.buffer.bytes", "102400", "net.core.rmem_max"),
            List.of("replica.socket.receive.buffer.bytes", "65536", "net.core.rmem_max"));

    static AdviceFacts of(LogFolder folder) {
        return name -> switch (name) {
            case "filesystem" -> Fact.of(folder.type());
            case "atime" ->
                Fact.of(
                        folder.options().contains("noatime")
                                ? "noatime"
                                : folder.options().contains("relatime") ? "relatime" : "atime");
            case "room" -> AdviceFacts.room(folder.bytes(), folder.usableBytes());
            default -> throw new IllegalArgumentException(name);
        };
    }

    @Override
    public Fact fact(String name) {
        return switch (name) {
            case "files" -> {
                Double open = process.figures().get("files");
                double limit = figure("limit.files");
                yield Fact.of(
                        limit,
                        AdviceFacts.whole(limit) + (open == null ? "" : ", " + AdviceFacts.whole(open) + " in use"));
            }
            case "files.used" ->
                Fact.of(Math.max(process.figures().getOrDefault("files", 0.0), segments()) / figure("limit.files"));
            case "maps" ->
                Fact.of(
                        figure("maps") / mapLimit(),
                        AdviceFacts.whole(figure("maps")) + " of " + AdviceFacts.whole(mapLimit()));
            case "maps.free" -> Fact.of(Math.max(0, Math.floor((mapLimit() - figure("maps")) / 2)));
            case "heap" -> Fact.of(heap(), AdviceFacts.gibibytes(heap() / KernelFiles.MIB));
            case "heap.half" -> Fact.of(halfMemory());
            case "heap.allowed" -> Fact.of(allowedHeap());
            case "heap.fixed" ->
                Fact.of(process.heap("ms").filter(least -> least == heap()).isPresent() ? 1 : 0);
            case "collector" ->
                Fact.of(process.arguments().stream()
                        .filter(flag -> flag.matches("-XX:\\+Use\\w+GC"))
                        .reduce(
                                "none",
                                (earlier, later) ->
                                        later.replace("-XX:+Use", "").replaceAll("GC$", "")));
            case "pause" -> {
                String goal = process.arguments().stream()
                        .filter(flag -> flag.startsWith(PAUSE))
                        .reduce("200", (earlier, later) -> later.substring(PAUSE.length()));
                yield Fact.of(goal.matches("\\d{1,9}") ? Integer.parseInt(goal) : Double.NaN, goal);
            }
            case "swapped" -> Fact.of(Math.ceil(figure("swapped.mib")));
            case "buffer" -> Fact.of(asked(buffer()), String.format(Locale.ROOT, "%.0f", asked(buffer())));
            case "buffer.property" -> Fact.of(buffer().get(0));
            case "buffer.limit" -> Fact.of(limit(buffer()), buffer().get(2));
            case "buffer.over-1-ms" -> Fact.of(Math.floor(asked(buffer()) * 1000 / 1e6));
            case "buffer.over-10-ms" -> Fact.of(Math.floor(asked(buffer()) * 100 / 1e6));
            default -> throw new IllegalArgumentException(name);
        };
    }

    private double figure(String name) {
        Double value = process.figures().get(name);
        if (value == null) {
            throw unreadable();
        }
        return value;
    }

    private Unknown unreadable() {
        return new Unknown(
                process.unread().isEmpty()
                        ? "the kernel does not report this value"
                        : process.unread().get(0));
    }

    private double segments() {
        return process.folders().stream().mapToDouble(LogFolder::segments).sum();
    }

    private double mapLimit() {
        return BrokerHostFacts.number(
                host.facts(), "vm.max_map_count", String.valueOf(unreadable().getMessage()));
    }

    private double heap() {
        return process.heap("mx")
                .orElseThrow(() -> new Unknown(
                        process.share().isEmpty()
                                ? "the command line and the readable environment set no heap; the default of a JVM is"
                                        + " a quarter of its memory"
                                : "is at most " + process.share()
                                        + " % of the JVM's memory, and weir cannot read the size of this memory"));
    }

    private double halfMemory() {
        String mib = host.facts().getOrDefault("memory.mib", "");
        return mib.matches(NUMBER) ? Double.parseDouble(mib) * KernelFiles.MIB / 2 : Double.POSITIVE_INFINITY;
    }

    private String allowedHeap() {
        long mib = (long) Math.floor(Math.min(LARGEST_HEAP, halfMemory()) / KernelFiles.MIB);
        return mib % 1024 == 0 ? mib / 1024 + "g" : mib + "m";
    }

    private List<String> buffer() {
        if (process.properties().isEmpty()) {
            throw unreadable();
        }
        return BUFFERS.stream()
                .filter(buffer -> asked(buffer) > limit(buffer))
                .findFirst()
                .orElse(BUFFERS.get(0));
    }

    private double asked(List<String> buffer) {
        String asked = process.properties().getOrDefault(buffer.get(0), buffer.get(1));
        if (!asked.matches("-1|\\d{1,12}")) {
            throw new Unknown(buffer.get(2) + " cannot be read");
        }
        return Double.parseDouble(asked);
    }

    private double limit(List<String> buffer) {
        return BrokerHostFacts.number(host.facts(), buffer.get(2), buffer.get(2) + " cannot be read");
    }
}

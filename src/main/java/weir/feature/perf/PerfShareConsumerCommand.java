package weir.feature.perf;

import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import weir.cli.FlagPlan;
import weir.measure.Numbers;
import weir.plan.Experiment;

/** The {@code weir perf share-consumer} command, which consumes like {@code kafka-share-consumer-perf-test}. */
@Command(
        name = "share-consumer",
        header = "Consume with the flags and output lines of kafka-share-consumer-perf-test.",
        footer = "Example: weir"
                + " perf share-consumer --topic orders --num-records 1000000 --bootstrap-server kafka-1:9092",
        description = {
            "Standard output has exactly the lines of Kafka's tool. Standard error has the caveats and the path"
                    + " of the report. Without --group, weir makes a share group that starts at the oldest record,"
                    + " and deletes the group at the end."
        })
final class PerfShareConsumerCommand extends ReadingTool {
    private static final String CLIENT_ID = "client.id";
    private static final String USUAL_CLIENT_ID = "perf-share-consumer-client";

    @Option(
            names = "--group",
            paramLabel = "GROUP",
            description = "Join this share group and read from its start offsets (default: a new group).")
    private String group = "";

    @Option(
            names = "--fetch-size",
            paramLabel = "BYTES",
            description = "Maximum bytes of one fetch (default: 1048576).")
    private long fetch = MISSING;

    @Option(names = "--threads", paramLabel = "N", description = "Number of share consumers (default: 1).")
    private int threads = 1;

    @Option(names = "--show-consumer-stats", description = "Print a line for the share consumer at the end.")
    private boolean each;

    PerfShareConsumerCommand() {
        super(USUAL_CLIENT_ID, "fetch.max.bytes");
    }

    @Override
    int call(Path folder) {
        long number = check();
        PerfProperties properties = clientProperties(folder);
        sizes(properties, fetch);
        String clientId = properties.has(CLIENT_ID) ? properties.value(CLIENT_ID) : USUAL_CLIENT_ID;
        FlagPlan plan = plan(bootstrap(properties, bootstrap), properties, number);
        Experiment experiment = experiment(folder, plan);
        topicsToRead(experiment, "--topic", topic, topic::equals);
        return conduct(experiment, plan, new ShareConsumerPerfOutput(out(), asked(number), each ? clientId : ""));
    }

    private long check() {
        if (topic.isEmpty()) {
            throw wrong("--topic is missing; name a topic");
        }
        if (!engine().equals("client")) {
            throw wrong("--engine: must be client, because the wire engine has no groups, found '" + engine() + "'");
        }
        if (threads < 1) {
            throw wrong("--threads: must be at least 1, found '" + threads + "'");
        }
        if (threads > 1 && (each || detailed)) {
            throw wrong((each ? "--show-consumer-stats" : "--show-detailed-stats")
                    + " requires --threads 1, because Weir counts the records of all share consumers together");
        }
        return number();
    }

    private FlagPlan plan(String bootstrapServers, PerfProperties properties, long number) {
        FlagPlan plan = plan("How fast does a share group read '" + topic + "'?", bootstrapServers);
        properties.write(plan, engine(), "share.acknowledgement.mode");
        plan.add("topics:").add("  " + FlagPlan.quoted(topic) + ": { existing: true }", "--topic");
        plan.add("load:").add("  workload: consume").add("  rate: max").add("  producers: 0");
        plan.add("  consumers: " + threads, "--threads").add("  consumer:");
        plan.properties(ours(properties, fetch));
        String mode = properties.value("share.acknowledgement.mode");
        plan.add("  group:")
                .add("    name: " + FlagPlan.quoted(group.isEmpty() ? "group" : group), "--group")
                .add("    protocol: share")
                .add(
                        "    acknowledge: " + FlagPlan.quoted(mode.isEmpty() ? "implicit" : mode),
                        "'share.acknowledgement.mode'")
                .add("    existing: " + !group.isEmpty());
        return measured(plan, number, "false", "");
    }

    /** The output of {@code kafka-share-consumer-perf-test}. */
    static final class ShareConsumerPerfOutput extends ConsumerPerfOutput {
        private final String consumer;

        /** {@code consumer} is the client id of the only consumer, for a line of its own; empty for no such line. */
        ShareConsumerPerfOutput(PrintWriter out, Asked asked, String consumer) {
            super(out, asked);
            this.consumer = consumer;
        }

        @Override
        String header() {
            return "start.time, end.time, data.consumed.in.MB, MB.sec, nMsg.sec, data.consumed.in.nMsg, fetch.time.ms";
        }

        @Override
        String interval(double fromMillis, double seconds, Numbers total, Numbers numbers, double joinedMillis) {
            double elapsed = seconds + joinedMillis / 1e3;
            return figures(
                            fromMillis - joinedMillis,
                            fromMillis + 1e3 * seconds,
                            total.bytesReceived() / MEBIBYTE,
                            numbers.bytesReceived() / MEBIBYTE / elapsed,
                            numbers.received() / elapsed,
                            total.received())
                    + " for share consumer 1";
        }

        @Override
        boolean printsTotal() {
            return true;
        }

        @Override
        void beforeTotal(Numbers read, double fromMillis, double toMillis) {
            if (!consumer.isEmpty()) {
                out.println("Share consumer 1 having client id " + consumer + " consumption metrics- "
                        + total(read, fromMillis, toMillis, 0));
            }
        }

        @Override
        String total(Numbers read, double fromMillis, double toMillis, double joinedMillis) {
            double seconds = Math.max(1, toMillis - fromMillis + joinedMillis) / 1e3;
            double mebibytes = read.bytesReceived() / MEBIBYTE;
            return figures(
                    fromMillis - joinedMillis,
                    toMillis,
                    mebibytes,
                    mebibytes / seconds,
                    read.received() / seconds,
                    read.received());
        }

        private String figures(
                double fromMillis, double toMillis, double mebibytes, double perSecond, double records, long all) {
            return String.format(
                    locale(),
                    "%s, %s, %.4f, %.4f, %.4f, %d, %d",
                    date(fromMillis),
                    date(toMillis),
                    mebibytes,
                    perSecond,
                    records,
                    all,
                    Math.round(toMillis - fromMillis));
        }
    }
}

package weir.plan.read;

import java.util.Set;
import weir.plan.LoadSpec;
import weir.plan.TransactionSpec;
import weir.plan.Variant;
import weir.plan.Verify;
import weir.plan.syntax.EnumNames;

/** Which metrics a variant has. */
public final class VariantMetrics {
    private static final Set<String> SENDING =
            Set.of("response", "service", "late", "held", "blocked", "acked/s", "offered/s", "achieved");
    private static final Set<String> READ_BACK =
            Set.of("received", "unread", "lost", "duplicated", "reordered", "ghosts", "foreign", "torn");

    private static final Set<String> STREAMED = Set.of("offsets", "fetch");
    private static final Set<String> PARTS = Set.of("send", "transaction");
    private static final Set<String> TRANSACTIONS = Set.of("begin", "commit", "abort", "torn");

    private VariantMetrics() {}

    /** Why a variant lacks a metric, empty if it has it. */
    public static String lacks(String metric, Variant variant) {
        LoadSpec.Workload workload = variant.load().workload();
        boolean reads = workload == LoadSpec.Workload.DELIVER || workload == LoadSpec.Workload.CONSUME;
        String called = EnumNames.of(workload);
        if (SENDING.contains(metric) && workload == LoadSpec.Workload.CONSUME) {
            return "the workload " + called + " only reads";
        }
        if (metric.equals("e2e") && workload != LoadSpec.Workload.DELIVER) {
            return "only the workload deliver sends and reads at once";
        }
        if ((metric.equals("lag") || metric.equals("received/s") || metric.equals("reread")) && !reads) {
            return "the workload " + called + " has no reader";
        }
        if (READ_BACK.contains(metric) && variant.load().target() == LoadSpec.Target.NULL) {
            return "target null keeps nothing that could be read back";
        }
        if (READ_BACK.contains(metric) && !reads && variant.verify() == Verify.FALSE) {
            return "nothing is read back with verify: false";
        }
        boolean told = READ_BACK.contains(metric) || metric.equals("reread");
        if (told && variant.verify() == Verify.HEADERS) {
            return "with verify: headers records are counted, and nobody looks whose they are";
        }
        if (STREAMED.contains(metric) && workload != LoadSpec.Workload.STREAM) {
            return "only the workload stream reads what it goes on to write";
        }
        boolean parts =
                workload == LoadSpec.Workload.STREAM || !(variant.load().transaction() instanceof TransactionSpec.None);
        if (PARTS.contains(metric) && !parts) {
            return "its operations have no parts, for there are no transactions";
        }
        if (TRANSACTIONS.contains(metric) && variant.load().transaction() instanceof TransactionSpec.None) {
            return "there are no transactions";
        }
        if (metric.equals("catch-up") && !variant.load().catchesUp()) {
            return "only deliver with a backlog has readers that catch up";
        }
        if ((metric.equals("gap") || metric.equals("recovery"))
                && variant.during().isEmpty()) {
            return "nothing disturbs it";
        }
        boolean closed = variant.load().rate().closed();
        if (metric.equals("achieved") && closed) {
            return "a closed loop has no rate to achieve";
        }
        return "";
    }
}

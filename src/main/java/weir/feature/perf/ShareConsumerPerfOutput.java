package weir.feature.perf;

import java.io.PrintWriter;
import weir.measure.Numbers;

/** The output of {@code kafka-share-consumer-perf-test}. */
final class ShareConsumerPerfOutput extends ConsumerPerfOutput {
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
    String interval(double fromMillis, double seconds, Numbers told, Numbers numbers, double joinedMillis) {
        double elapsed = seconds + joinedMillis / 1e3;
        return figures(
                        fromMillis - joinedMillis,
                        fromMillis + 1e3 * seconds,
                        told.bytesReceived() / MEBIBYTE,
                        numbers.bytesReceived() / MEBIBYTE / elapsed,
                        numbers.received() / elapsed,
                        told.received())
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

package weir.judge.trial;

import java.util.List;

/** The properties whose limits make operations fail, by what the client or the broker says then. */
final class FailureLimits {
    private static final List<Row> ROWS = List.of(
            new Row("RecordTooLargeException", "max.request.size", "max.request.size"),
            new Row("RecordTooLargeException", "buffer.memory", "buffer.memory"),
            new Row("RecordTooLargeException", "", "message.max.bytes, or max.message.bytes of the topic"),
            new Row("RecordBatchTooLargeException", "", "segment.bytes"),
            new Row("BufferExhaustedException", "", "buffer.memory, max.block.ms"),
            new Row("TimeoutException", " in metadata after ", "max.block.ms"),
            new Row("TimeoutException", "Expiring ", "delivery.timeout.ms"),
            new Row("NotEnoughReplicas", "", "min.insync.replicas"),
            new Row("InvalidTimestampException", "", "message.timestamp.before.max.ms, message.timestamp.after.max.ms"),
            new Row("InvalidRecordException", "Compacted topic", "cleanup.policy"),
            new Row("ProducerFencedException", "", "transactional.id"),
            new Row("InvalidProducerEpochException", "", "transactional.id"));

    /** @param words that the reason has behind its type */
    private record Row(String type, String words, String property) {}

    private FailureLimits() {}

    /** Empty if no property is known. */
    static String of(String reason) {
        return ROWS.stream()
                .filter(row -> reason.startsWith(row.type) && reason.contains(row.words))
                .map(Row::property)
                .findFirst()
                .orElse("");
    }
}

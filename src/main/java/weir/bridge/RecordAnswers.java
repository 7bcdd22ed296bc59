package weir.bridge;

import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import weir.bridge.kafka.ProducerFaults;
import weir.http.Answers;

/** The answers that tell what became of records. */
final class RecordAnswers {
    private RecordAnswers() {}

    /** Tells what became of each record, as version 2 of the REST interface tells it; of a raw record, of itself. */
    static FullHttpResponse settled(Exchange exchange) {
        return Answers.json(HttpResponseStatus.valueOf(ProducerFaults.status(exchange.fault())), body(exchange));
    }

    private static String body(Exchange exchange) {
        int records = exchange.records().size();
        StringBuilder json = new StringBuilder(48 * records + 16);
        if (exchange.single()) {
            record(json, exchange, 0);
        } else {
            json.append("{\"offsets\":[");
            for (int i = 0; i < records; i++) {
                json.append(i > 0 ? "," : "");
                record(json, exchange, i);
            }
            json.append("]}");
        }
        return json.append('\n').toString();
    }

    private static void record(StringBuilder json, Exchange exchange, int record) {
        Exception fault = exchange.fault(record);
        if (fault == null) {
            long offset = exchange.offset(record);
            json.append("{\"partition\":").append(exchange.partition(record)).append(",\"offset\":");
            if (offset < 0) {
                json.append("null}");
            } else {
                json.append(offset).append('}');
            }
        } else {
            json.append("{\"error_code\":").append(ProducerFaults.status(fault)).append(",\"message\":");
            Answers.quote(json, String.valueOf(fault.getMessage()));
            json.append('}');
        }
    }
}

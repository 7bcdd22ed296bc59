package weir.bridge;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import weir.http.Refusal;

/**
 * Headers of a request that become headers of its records: {@code Record-Header-NAME} holds their value in base64, of a batch
 * one for each record, with commas between them. Names arrive in lower case.
 */
final class RecordHeaders {
    static final AsciiString PREFIX = AsciiString.cached("record-header-");

    private RecordHeaders() {}

    static void copy(HttpHeaders request, List<ProducerRecord<byte[], byte[]>> records) throws Refusal {
        Iterator<Map.Entry<CharSequence, CharSequence>> all = request.iteratorCharSequence();
        while (all.hasNext()) {
            Map.Entry<CharSequence, CharSequence> header = all.next();
            CharSequence name = header.getKey();
            if (AsciiString.regionMatches(name, true, 0, PREFIX, 0, PREFIX.length())) {
                String lower = AsciiString.of(name).toLowerCase().toString();
                copy(lower.substring(PREFIX.length()), header.getValue().toString(), records);
            }
        }
    }

    private static void copy(String name, String values, List<ProducerRecord<byte[], byte[]>> records) throws Refusal {
        String[] each = values.split(",", -1);
        if (each.length != records.size()) {
            throw Refusal.bad(
                    PREFIX + name + " has " + each.length + " values, and the body " + records.size() + " records");
        }
        for (int i = 0; i < each.length; i++) {
            try {
                records.get(i).headers().add(name, Base64.getDecoder().decode(each[i].strip()));
            } catch (IllegalArgumentException e) {
                throw Refusal.bad(PREFIX + name + " is not base64");
            }
        }
    }
}

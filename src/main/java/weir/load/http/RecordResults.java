package weir.load.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import weir.http.HttpAnswer;

/**
 * The words of an answer about each record of a batch: in {@code offsets}, where every record has an offset, or an
 * {@code error_code} that is not null, as in version 2 of the REST interface.
 */
final class RecordResults {
    private static final JsonFactory JSON = new JsonFactory();

    private RecordResults() {}

    /** The records that failed; null when the answer does not tell of each of {@code count} records. */
    static @Nullable BitSet failed(HttpAnswer answer, int count) {
        if (answer.length() == 0 || answer.cut() || answer.body()[0] != '{') {
            return null;
        }
        try (JsonParser json = JSON.createParser(answer.body(), 0, answer.length())) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                boolean wanted = json.currentName().equals("offsets");
                if (json.nextToken() == JsonToken.START_ARRAY && wanted) {
                    return failed(json, count);
                }
                json.skipChildren();
            }
            return null;
        } catch (IOException noJson) {
            // Servers answer in text or HTML as well; then their status says all there is.
            return null;
        }
    }

    private static @Nullable BitSet failed(JsonParser json, int count) throws IOException {
        BitSet failed = new BitSet(count);
        int record = 0;
        for (; json.nextToken() == JsonToken.START_OBJECT; record++) {
            boolean error = false;
            boolean offset = false;
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                boolean there = json.nextToken() != JsonToken.VALUE_NULL;
                error |= name.equals("error_code") && there;
                offset |= name.equals("offset");
                json.skipChildren();
            }
            failed.set(record, error || !offset);
        }
        return record == count ? failed : null;
    }
}

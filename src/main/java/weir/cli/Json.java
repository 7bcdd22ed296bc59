package weir.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;

/** Results for programs. Apart from {@link Format}, so that asking for the version does not load Jackson. */
final class Json {
    private Json() {}

    static void print(PrintWriter out, Object object) {
        try {
            out.println(new ObjectMapper().writeValueAsString(object));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("writing a result as JSON", e);
        }
    }
}

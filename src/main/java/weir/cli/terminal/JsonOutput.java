package weir.cli.terminal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import weir.cli.FormatOption;

/** An output of results as JSON, separate from {@link FormatOption} so that {@code --version} does not load Jackson. */
public final class JsonOutput {
    private JsonOutput() {}

    public static void pretty(PrintWriter out, Object object) {
        try {
            out.println(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(object));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("writing a result as JSON", e);
        }
    }

    public static void print(PrintWriter out, Object object) {
        try {
            out.println(new ObjectMapper().writeValueAsString(object));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("writing a result as JSON", e);
        }
    }
}

package weir.run;

import java.util.List;

/** The exception for a run that cannot start. Each line of the message has a problem and its remedy. */
public final class PreflightException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public PreflightException(List<String> lines) {
        super(String.join("\n", lines));
    }

    public PreflightException(String line) {
        super(line);
    }
}

package weir.run;

import java.util.List;

/** A run that cannot start; nothing was measured. Each line says what is wrong and what to do. */
public final class PreflightException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public PreflightException(List<String> lines) {
        super(String.join("\n", lines));
    }

    public PreflightException(String line) {
        super(line);
    }
}

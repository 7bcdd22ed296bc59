package weir.host;

import java.nio.file.Path;
import java.util.List;

/** A program to start. The log takes its standard error, and its standard output too unless we read that. */
public record Command(String name, List<String> arguments, Path log, Output output, Shield within) {
    /** Where standard output goes. */
    public enum Output {
        READ,
        LOGGED
    }

    /** A program without limits. */
    public Command(String name, List<String> arguments, Path log, Output output) {
        this(name, arguments, log, output, Shield.NONE);
    }

    public Command {
        arguments = List.copyOf(arguments);
        if (arguments.isEmpty()) {
            throw new IllegalArgumentException("a command needs at least a program");
        }
    }
}

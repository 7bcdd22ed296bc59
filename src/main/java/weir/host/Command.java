package weir.host;

import java.nio.file.Path;
import java.util.List;

/** A program to start. Its standard error goes to {@code log}, and its standard output too unless Weir reads it. */
public record Command(String name, List<String> arguments, Path log, Output output, Shield within) {
    public enum Output {
        READ,
        LOGGED
    }

    public Command(String name, List<String> arguments, Path log, Output output) {
        this(name, arguments, log, output, Shield.NONE);
    }

    public Command {
        arguments = List.copyOf(arguments);
        if (arguments.isEmpty()) {
            throw new IllegalArgumentException("a command must have a program");
        }
    }
}

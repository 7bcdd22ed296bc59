package weir.cli;

import picocli.CommandLine.Option;

/** The option that chooses between a text for people and one JSON object for programs. */
public final class FormatOption {
    enum Kind {
        TEXT,
        JSON
    }

    @Option(names = "--format", paramLabel = "text|json", description = "Output format (default: text).")
    private Kind kind = Kind.TEXT;

    public boolean json() {
        return kind == Kind.JSON;
    }
}

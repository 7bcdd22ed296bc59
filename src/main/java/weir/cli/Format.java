package weir.cli;

import picocli.CommandLine.Option;

/** The option that chooses between a text for people and one JSON object for programs. */
final class Format {
    /** What standard output carries. */
    enum Kind {
        TEXT,
        JSON
    }

    @Option(names = "--format", paramLabel = "text|json", description = "What to print: text or json.")
    private Kind kind = Kind.TEXT;

    boolean json() {
        return kind == Kind.JSON;
    }
}

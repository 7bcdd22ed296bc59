package weir.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The option that asks for further forms of a result. */
final class Outputs {
    @Option(
            names = "--out",
            paramLabel = "KIND=FILE",
            description =
                    "Also write junit=FILE or html=FILE, or print annotations for github. May be given several times.")
    private List<Output> outputs = List.of();

    /** GitHub reads both streams of a job; standard output stays one object where that was asked for. */
    void write(Output.Told told, CommandLine command, Format format) {
        outputs.forEach(output -> output.write(told, format.json() ? command.getErr() : command.getOut()));
    }
}

package weir.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;

public final class OutputOptions {
    @Option(
            names = "--out",
            paramLabel = "KIND=FILE",
            description = "Further output: junit=FILE, html=FILE, quantiles=DIR (the latency of each operation),"
                    + " knative=DIR (the CSV files of Knative's tests) or github (annotations). Repeatable.")
    private List<OutputForm> outputs = List.of();

    public boolean any() {
        return !outputs.isEmpty();
    }

    public void refuse(OutputForm.Kind kind, String why, CommandLine command) {
        if (outputs.stream().anyMatch(output -> output.kind() == kind)) {
            throw new CommandLine.ParameterException(command, why);
        }
    }

    /** Writes all outputs. With JSON on standard output, lines for GitHub go to standard error. */
    public void write(OutputForm.OutputContent content, CommandLine command, FormatOption format) {
        outputs.forEach(output -> output.write(content, format.json() ? command.getErr() : command.getOut()));
    }
}

package weir.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command of weir with its output streams. */
public abstract class CliCommand {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    protected final CommandSpec spec() {
        return spec;
    }

    protected final CommandLine command() {
        return spec.commandLine();
    }

    protected final PrintWriter out() {
        return command().getOut();
    }

    protected final PrintWriter err() {
        return command().getErr();
    }

    public final ParameterException wrong(String what) {
        return new ParameterException(command(), what);
    }
}

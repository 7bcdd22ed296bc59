package weir.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints what a shell needs to complete our command lines. */
@Command(name = "completion", header = "Print a completion script for bash and zsh: source <(weir completion)")
final class CompletionCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        spec.commandLine().getOut().print(AutoComplete.bash("weir", Main.commandLine()));
        spec.commandLine().getOut().flush();
    }
}

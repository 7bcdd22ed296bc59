package weir.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import weir.plan.Keys;

/** Says what a key of the experiment file means. */
@Command(name = "explain", header = "Say what a key of the experiment file means: weir explain load.rate")
final class ExplainCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "KEY", description = "A dotted path, such as load.producer.linger.ms.")
    private String key = "";

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.println(Keys.explain(key).stripTrailing());
    }
}

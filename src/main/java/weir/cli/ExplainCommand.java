package weir.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import weir.plan.Keys;

/** Says what a key of the experiment file, or a word of a report, means. */
@Command(
        name = "explain",
        header =
                "Say what a key, a metric, a caveat, any word of a report or an exit code means: weir explain response")
final class ExplainCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "0..*",
            paramLabel = "WORD",
            description = {
                "A dotted path such as load.producer.linger.ms, a metric such as response, a caveat such as",
                "shared-cores, a word such as degraded, or an exit code such as 99; without one, all keys of a file."
            })
    private List<String> words = new ArrayList<>();

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.println(Keys.explain(String.join(" ", words)).stripTrailing());
    }
}

package weir.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import weir.plan.explain.KeyExplanation;

/** Says what a key of the experiment file, or a word of a report, means. */
@Command(name = "explain", header = "Say what a key or a word of a report means: weir explain response")
final class ExplainCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "1..*",
            paramLabel = "WORD",
            description = {
                "A path such as load.producer.linger.ms, a metric (response),",
                "a caveat (shared-cores), a word (degraded), an exit code (99)."
            })
    private List<String> words = new ArrayList<>();

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.println(KeyExplanation.of(String.join(" ", words)).stripTrailing());
    }
}

package weir.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import weir.plan.explain.Schema;

/** Prints the JSON Schema of the experiment file. */
@Command(name = "schema", header = "Print the JSON Schema of the experiment file, for editors.")
final class SchemaCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        spec.commandLine().getOut().println(Schema.json().stripTrailing());
    }
}

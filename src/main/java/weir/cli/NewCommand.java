package weir.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import weir.plan.syntax.ShellWord;

/** Copies a narrated experiment to start from. */
@Command(name = "new", header = "Copy a narrated experiment to start from; without arguments, list them.")
final class NewCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", arity = "0..1", paramLabel = "EXAMPLE", description = "Its name or number, as listed.")
    private String wanted = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "FILE",
            description = "The copy; without it, the example's name in this folder.")
    private String copy = "";

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        List<String> names = BundledExperiments.names();
        if (wanted.isEmpty()) {
            names.forEach(
                    name -> out.printf("%-24s %s%n", name, BundledExperiments.question(BundledExperiments.text(name))));
            return;
        }
        List<String> meant = names.stream()
                .filter(name -> name.equals(wanted) || name.startsWith(wanted + "-") || name.endsWith("-" + wanted))
                .toList();
        if (meant.size() != 1) {
            throw wrong("'" + wanted + "' is not an example; there are " + String.join(", ", names));
        }
        String name = meant.get(0);
        Path file = Path.of(copy.isEmpty() ? name.replaceFirst("^[0-9]+-", "") + ".yaml" : copy);
        try {
            Files.writeString(file, BundledExperiments.text(name), StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            throw wrong("'" + file + "' exists; name another file: weir new " + name + " FILE");
        } catch (IOException e) {
            throw wrong("'" + file + "' cannot be written (" + e.getMessage() + ")");
        }
        out.println(file);
        String word = ShellWord.of(file.toString());
        spec.commandLine().getErr().println("Edit it, then: weir check " + word + " && weir run " + word);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}

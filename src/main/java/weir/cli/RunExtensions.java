package weir.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import weir.feature.Features;
import weir.plan.Experiment;
import weir.results.RunFolder;

/** The options that features add to one command. */
@Command
final class RunExtensions {
    private final List<RunExtension> all;

    RunExtensions(Predicate<RunExtension> wanted) {
        all = Features.options(RunExtension.class).stream().filter(wanted).toList();
    }

    @Spec(Spec.Target.MIXEE)
    void mixInto(CommandSpec command) {
        all.forEach(extension ->
                command.addMixin(extension.getClass().getSimpleName(), CommandSpec.forAnnotatedObject(extension)));
    }

    String[] over(String... ours) {
        return Stream.concat(Stream.of(ours), all.stream().flatMap(extension -> extension.values().stream()))
                .toArray(String[]::new);
    }

    void check(CommandLine command, Experiment experiment) {
        all.forEach(extension -> extension.check(command, experiment));
    }

    RunWatches watch(CommandLine command, boolean opens) {
        RunWatches watches = new RunWatches();
        try {
            all.forEach(extension -> extension.watch(command, opens, watches));
        } catch (RuntimeException e) {
            watches.close();
            throw e;
        }
        return watches;
    }

    boolean keep(RunFolder folder, PrintWriter err) {
        boolean kept = true;
        for (RunExtension extension : all) {
            kept &= extension.keep(folder, err);
        }
        return kept;
    }
}

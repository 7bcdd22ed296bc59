package weir.feature.publish;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import weir.cli.CliCommand;
import weir.cli.RunsFolderOption;
import weir.cli.WeirVersion;
import weir.feature.publish.PublishedFolder.About;
import weir.host.OwnedFolders;
import weir.io.Io;
import weir.plan.RecordKeys;
import weir.results.RunFiles;
import weir.results.RunFolder;
import weir.results.TrialFolder;
import weir.results.UnreadableRunException;

/** The {@code weir publish} command, which makes a folder that other people can check with {@code weir verify}. */
@Command(
        name = "publish",
        header = "Copy stored runs into folders that other people can read and check.",
        footer = "Example: weir publish hello --to published",
        description = {
            "Makes one folder for each run, with the raw data, the environment, checksums, and a page RESULT.md.",
            "Hides all secrets. Replaces the names of hosts and users, addresses and absolute paths by host-1, user-1 and"
                    + " /path-1."
        })
final class PublishCommand extends CliCommand implements Runnable {
    /** The files that contain only numbers and the names of metrics. */
    private static final List<String> NUMBERS =
            List.of("latency.hlog", "windows.csv", "counts.csv", "spectrum.csv", "operations.csv");

    /** The most trials that are published in a few seconds. */
    private static final int MOST_WITHOUT_PROGRESS = 10;

    @Mixin
    private RunsFolderOption runs = new RunsFolderOption();

    @Option(
            names = "--to",
            required = true,
            paramLabel = "DIR",
            description = "The folder for the new folders. Weir overwrites no folder.")
    private Path to = Path.of("");

    @Option(names = "--keep-names", description = "Keep the names of hosts and users, addresses and paths.")
    private boolean keepsNames;

    @Parameters(
            paramLabel = "RUN",
            arity = "1..*",
            description = "A run folder, a name (its newest run) or name~1 (the run before that run).")
    private List<String> names = List.of();

    @Override
    public void run() {
        Map<Path, Publication> publications = new TreeMap<>();
        for (String name : names) {
            RunFolder folder = RunFolder.resolve(runs.path(), name);
            String tool = folder.machine().tool();
            if (!tool.isEmpty()) {
                throw wrong("'" + name + "' is a result of " + tool
                        + ", so weir verify cannot compute its figures again; publish its source files instead");
            }
            Publication publication = new Publication(folder, keepsNames);
            Path target = to.resolve(publication.name());
            if (Files.exists(target)) {
                throw wrong("--to: '" + target + "' exists; remove it, or name another folder");
            }
            publications.put(target, publication);
        }
        publications.forEach((target, publication) -> {
            int trials = publication.run.trials().size();
            if (trials > MOST_WITHOUT_PROGRESS) {
                err().println(publication.name() + ": copying " + trials + " trials and computing all figures again");
            }
            publish(publication, target);
            out().println(target);
        });
    }

    private void publish(Publication publication, Path target) {
        Path part = to.resolve("." + target.getFileName() + ".part");
        try {
            OwnedFolders.delete(part);
            publication.write(part);
            List<String> differences = Verification.of(part).differences();
            if (!differences.isEmpty()) {
                throw new UnreadableRunException(publication.run.path()
                        + ": cannot be published, because a figure of the copy differs when computed again: "
                        + differences.get(0).replace(part + "/", "") + "; use Weir "
                        + publication.run.asked().weir()
                        + (keepsNames ? "" : ", or keep the names with --keep-names"));
            }
            Io.attempt("making " + target, () -> Files.move(part, target, StandardCopyOption.ATOMIC_MOVE));
        } finally {
            OwnedFolders.delete(part);
        }
    }

    /** One run, and the texts that replace its secrets and names. */
    static final class Publication {
        private final RunFolder run;
        private final boolean keepsNames;
        private final Pseudonyms pseudonyms;

        Publication(RunFolder run, boolean keepsNames) {
            this.run = run;
            this.keepsNames = keepsNames;
            run.concluded();
            pseudonyms = Pseudonyms.of(run, keepsNames);
        }

        String name() {
            return pseudonyms.text(
                    String.valueOf(run.path().toAbsolutePath().normalize().getFileName()));
        }

        void write(Path folder) {
            Io.attempt("writing to " + folder, () -> {
                Files.createDirectories(folder.resolve("trials"));
                for (Path file : files(run)) {
                    copy(
                            file,
                            folder.resolve(
                                    pseudonyms.text(run.path().relativize(file).toString())));
                }
            });
            RunFolder copy = RunFolder.open(folder);
            copy.conclude(RecordKeys.with(copy.concluded(), Map.of("run", name(), "report", "")));
            RunFiles.put(
                    folder.resolve(PublishedFolder.ABOUT),
                    new About(PublishedFolder.FORMAT, WeirVersion.number(), keepsNames));
            new PublishedFolder(folder).seal(ResultPage.of(copy));
        }

        private void copy(Path file, Path target) throws IOException {
            Files.createDirectories(target.toAbsolutePath().getParent());
            // Files of a killed trial end with .part.
            String name = String.valueOf(file.getFileName()).replaceFirst("\\.part$", "");
            if (NUMBERS.contains(name)) {
                Files.copy(RunFiles.own(file), target);
            } else {
                String text = new String(Files.readAllBytes(RunFiles.own(file)), StandardCharsets.UTF_8);
                Files.writeString(target, name.endsWith(".json") ? pseudonyms.json(text) : pseudonyms.text(text));
            }
        }
    }

    /** The files of a run that a published folder contains. Logs, recordings and reports are not published. */
    static List<Path> files(RunFolder run) {
        return Stream.of(
                        Stream.concat(run.files().stream(), Stream.of(run.path().resolve("labels.json")))
                                .filter(Files::exists),
                        Stream.of(run.trials(), run.searched(), run.profiled())
                                .flatMap(List::stream)
                                .map(TrialFolder::files)
                                .flatMap(List::stream))
                .flatMap(each -> each)
                .toList();
    }
}

package weir.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import weir.report.export.GitHubAnnotations;
import weir.report.export.JUnitXml;
import weir.report.export.KnativeFiles;
import weir.report.export.QuantileFiles;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.UnreadableRunException;

/** A run in its other forms. */
record RunOutput(RunFolder folder, Path report) implements OutputForm.Told {
    private RunResult result() {
        return folder.result()
                .orElseThrow(() -> new UnreadableRunException(
                        folder.path() + ": this run was not finished, so there is no conclusion to tell; to finish it: "
                                + folder.asked().resumed(folder.path())));
    }

    @Override
    public String junit() {
        return JUnitXml.of(result());
    }

    @Override
    public String html() {
        try {
            return Files.readString(report);
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + report, e);
        }
    }

    @Override
    public List<String> github() {
        return GitHubAnnotations.of(result());
    }

    @Override
    public List<String> quantiles(Path into) {
        return QuantileFiles.write(folder, into);
    }

    @Override
    public void knative(Path into) {
        KnativeFiles.write(folder, into);
    }
}

package weir.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import weir.report.HtmlReport;
import weir.report.export.GitHubAnnotations;
import weir.report.export.JUnitXml;
import weir.report.export.KnativeFiles;
import weir.report.export.QuantileFiles;
import weir.results.RunFolder;
import weir.results.RunResult;

/** A run in its other forms. */
record RunOutput(RunFolder folder, Supplier<RunResult> result, Path report) implements OutputForm.Told {
    @Override
    public String junit() {
        return JUnitXml.of(result.get());
    }

    @Override
    public String html() {
        try {
            return Files.exists(report) ? Files.readString(report) : HtmlReport.of(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + report, e);
        }
    }

    @Override
    public List<String> github() {
        return GitHubAnnotations.of(result.get());
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

package weir.report;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import weir.report.profile.FlamePage;
import weir.results.RunFolder;

/** The report of a run: one file that needs nothing else, made from the run's folder alone. */
public final class HtmlReport {
    private HtmlReport() {}

    /** Makes the report, replacing an earlier one, and says where it is. */
    public static Path write(RunFolder folder) {
        FlamePage.of(folder, folder.asked().compare()).forEach(folder::put);
        folder.put(String.valueOf(folder.report().getFileName()), of(folder));
        return folder.report();
    }

    public static String of(RunFolder folder) {
        return Page.of(contents(RunView.of(folder)));
    }

    /** Everything that the report of a run says. */
    public static Page.Contents contents(RunView run) {
        return contents(run, run);
    }

    /** The same while the run goes on; {@code timed} has the trials that are drawn over time. */
    public static Page.Contents contents(RunView run, RunView timed) {
        List<Page.Part> parts = Stream.concat(Section.VERDICTS.stream(), Section.EVIDENCE.stream())
                .filter(section -> section.applies().test(section.overTime() ? timed : run))
                .map(section -> new Page.Part(
                        section.id(), section.title(), section.html().apply(section.overTime() ? timed : run)))
                .toList();
        return new Page.Contents(
                run.asked().name() + " · Weir",
                HeadlineSection.html(run),
                parts,
                        "Made by Weir " + run.asked().weir() + " from "
                                + run.folder().path().getFileName())
                .explained();
    }
}

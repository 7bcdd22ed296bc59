package weir.report;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import weir.results.RunFolder;

/** The report of a run: one file that needs nothing else, made from the run's folder alone. */
public final class HtmlReport {
    private HtmlReport() {}

    /** Makes the report, replacing an earlier one, and says where it is. */
    public static Path write(RunFolder folder) {
        folder.put(String.valueOf(folder.report().getFileName()), of(folder));
        return folder.report();
    }

    public static String of(RunFolder folder) {
        RunView run = RunView.of(folder);
        List<Page.Part> parts = Stream.concat(Section.VERDICTS.stream(), Section.EVIDENCE.stream())
                .filter(section -> section.applies().test(run))
                .map(section -> new Page.Part(
                        section.id(), section.title(), section.html().apply(run)))
                .toList();
        return Page.of(
                run.asked().name() + " · Weir",
                HeadlineSection.html(run),
                parts,
                "Made by Weir " + run.asked().weir() + " from " + folder.path().getFileName());
    }
}

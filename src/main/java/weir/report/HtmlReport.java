package weir.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import weir.report.Section.SidePages;
import weir.report.block.Block;
import weir.results.RunFolder;

/** The HTML report of a run, made only from the run folder: one self-contained file, except for its flame graphs. */
public final class HtmlReport {
    private HtmlReport() {}

    public static Path write(RunFolder folder) {
        return write(folder, false);
    }

    /** Writes the report. {@code goesOn}: the run continues, so a trial without an end is still running. */
    public static Path write(RunFolder folder, boolean goesOn) {
        // Weir writes pages before the report that links to them, and removes old pages after it.
        List<Runnable> afterwards = new ArrayList<>();
        SidePages pages = new SidePages(true, (file, page) -> folder.put(file, page.get()), afterwards::add);
        RunView run = RunView.of(folder, goesOn);
        folder.put(String.valueOf(folder.report().getFileName()), Page.of(contents(run, run, pages)));
        afterwards.forEach(Runnable::run);
        return folder.report();
    }

    public static String of(RunFolder folder) {
        return Page.of(contents(RunView.of(folder)));
    }

    public static Page.Contents contents(RunView run) {
        return contents(run, run, SidePages.NONE);
    }

    /** Returns the page of a run; {@code timed} contains the trials for the charts over time. */
    public static Page.Contents contents(RunView run, RunView timed, SidePages pages) {
        List<Page.Part> parts = new ArrayList<>();
        for (Section section : Section.all()) {
            List<Block> blocks = section.blocks(section.id().equals(Section.TIME) ? timed : run, pages);
            if (!blocks.isEmpty()) {
                parts.add(new Page.Part(section.id(), section.title(), blocks));
            }
        }
        return new Page.Contents(
                        run.asked().name() + " · Weir",
                        HeadlineSection.page(run),
                        parts,
                        "Written by Weir " + run.asked().weir() + " from "
                                + run.folder().path().getFileName())
                .explained();
    }
}

package weir.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import weir.results.RunFolder;

/** The report of a run: one file that needs nothing else, made from the run's folder alone. */
public final class HtmlReport {
    private static final String ICON =
            "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M1 5h6v8h8' fill='none' stroke='%230072B2' stroke-width='3'/%3E%3C/svg%3E";

    private HtmlReport() {}

    /** One part of the page. */
    private record Section(String id, String title, Html body) {}

    /** Makes the report, replacing an earlier one, and says where it is. */
    public static Path write(RunFolder folder) {
        folder.put(String.valueOf(folder.report().getFileName()), of(folder));
        return folder.report();
    }

    public static String of(RunFolder folder) {
        Story story = Story.of(folder);
        Timelines timelines = new Timelines(story);
        boolean times = !story.variants().isEmpty() && timelines.any();
        List<Section> sections = sections(story, timelines, times);
        String style = resource("uPlot.min.css") + resource("report.css");
        String script = "/*\n" + resource("uPlot.LICENSE") + "*/\n" + resource("uPlot.iife.min.js") + "\n"
                + resource("report.js");
        Html html = new Html();
        html.open("html", "lang", "en").open("head");
        html.open("meta", "charset", "utf-8");
        html.open("meta", "http-equiv", "Content-Security-Policy", "content", policy(style, script));
        html.open("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        html.open("meta", "name", "color-scheme", "content", "light dark");
        html.open("meta", "name", "referrer", "content", "no-referrer");
        html.open("link", "rel", "icon", "href", ICON);
        html.element("title", story.asked().name() + " · Weir");
        html.verbatim("style", style).close().line();
        html.open("body").element("a", "Skip to the answer", "href", "#answer", "class", "skip");
        html.add(contents(sections)).open("main").add(Headline.html(story)).line();
        for (Section section : sections) {
            html.open("section", "id", section.id(), "aria-labelledby", section.id() + "-title");
            html.element("h2", section.title(), "id", section.id() + "-title");
            html.add(section.body()).close().line();
        }
        html.open("footer")
                .element(
                        "p",
                        "Made by Weir " + story.asked().weir() + " from "
                                + folder.path().getFileName())
                .close();
        html.close();
        if (times) {
            html.verbatim("script", timelines.data(), "type", "application/json", "id", "data");
        }
        html.verbatim("script", script);
        return "<!DOCTYPE html>\n" + html.close().close() + "\n";
    }

    private static List<Section> sections(Story story, Timelines timelines, boolean times) {
        List<Section> sections = new ArrayList<>();
        boolean several = story.variants().size() > 1;
        boolean any = !story.passes().isEmpty();
        add(sections, !story.expect().isEmpty(), "expectations", "Expectations", Doubts.expectations(story));
        add(sections, !story.caveats().isEmpty(), "caveats", "Caveats", Doubts.caveats(story));
        if (several) {
            add(sections, true, "differences", "What differs", Differences.html(story));
            add(sections, true, "comparison", "Comparison", Comparing.html(story));
        }
        if (any) {
            add(sections, LoadCurves.any(story), "load", "Load curve", LoadCurves.html(story));
        }
        if (times) {
            add(sections, true, "time", "Over time", timelines.html());
        }
        if (any) {
            add(sections, true, "spectrum", "Spectrum", Spectra.html(story));
            add(sections, true, "parts", "Parts of latency", Parts.html(story));
            add(sections, true, "ledger", "Ledger", Accounts.html(story));
            add(sections, true, "generator", "Our own generator", OwnGenerator.html(story));
        }
        add(sections, true, "configuration", "Configuration", Configuration.html(story));
        add(sections, true, "method", "Method", Closing.method());
        add(sections, true, "reproduce", "Reproduce", Closing.reproduce(story));
        return sections;
    }

    private static void add(List<Section> sections, boolean there, String id, String title, Html body) {
        if (there) {
            sections.add(new Section(id, title, body));
        }
    }

    private static Html contents(List<Section> sections) {
        Html html = new Html();
        html.open("nav", "aria-label", "Contents")
                .open("a", "href", "#answer", "class", "home")
                .text("weir")
                .close();
        html.open("ol");
        for (Section section : sections) {
            html.open("li")
                    .element("a", section.title(), "href", "#" + section.id())
                    .close();
        }
        return html.close().close();
    }

    /** Nothing may be fetched, and nothing run but what is written here. */
    private static String policy(String style, String script) {
        return "default-src 'none'; img-src data:; style-src 'sha256-" + hash(style) + "'; script-src 'sha256-"
                + hash(script) + "'; base-uri 'none'; form-action 'none'";
    }

    private static String hash(String code) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(code.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }

    static String resource(String name) {
        try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("weir/report/" + name + " is missing from the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("reading weir/report/" + name, e);
        }
    }
}

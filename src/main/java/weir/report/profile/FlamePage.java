package weir.report.profile;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import weir.judge.profile.ProfileDifference;
import weir.judge.profile.ProfileScale;
import weir.plan.ProfileSpec;
import weir.report.Page;
import weir.report.chart.Html;
import weir.results.RunFolder;
import weir.results.value.NumberFormat;

/** A page with one flame graph, or with the difference of two, and its table. */
public final class FlamePage {
    /** The bytes of a page. */
    static final int LARGEST = 300_000;

    private static final int ROWS = 60;
    private static final int DEEPEST_NAME = 160;

    private FlamePage() {}

    /** The pages of a run by their files in its folder. */
    public static Map<String, String> of(RunFolder folder, List<String> compared) {
        Map<String, String> pages = new TreeMap<>();
        List<ShownProfile> profiles = ShownProfile.of(folder, unread -> {});
        profiles.stream()
                .filter(profile -> !profile.empty())
                .forEach(profile -> pages.put("profile/" + profile.page(), of(profile)));
        ShownDifference.of(compared, profiles)
                .differences()
                .forEach(difference -> pages.put("profile/" + difference.page(), of(difference)));
        return pages;
    }

    static String of(ShownProfile profile) {
        ProfileScale scale = profile.scale();
        String title = profile.variant() + ", " + profile.result().process() + ", " + profile.event();
        Html header = header(title, List.of(profile.taken() + ".", bias(profile), kernel(profile)));
        Html table = table("Frames by their own share", List.of("frame", "self", "with callees"), frames(profile));
        String unit = profile.unit();
        return fitting(title, header, table, longest -> FlameData.of(profile.tree(), scale, unit, longest));
    }

    static String of(ShownDifference shown) {
        ProfileDifference difference = shown.difference();
        String unit = ProfileScale.unit(shown.event());
        ProfileDifference.Change whole = difference.whole();
        Html header = header(
                shown.title(),
                List.of(
                        String.format(
                                Locale.ROOT,
                                "%s: %s in %s, %s in %s%s.",
                                unit,
                                NumberFormat.threeDigits(whole.before()),
                                shown.before().variant(),
                                NumberFormat.threeDigits(whole.after()),
                                shown.after().variant(),
                                whole.beyond() ? "" : ", which may be chance"),
                        "Red costs more in " + shown.after().variant() + ", blue costs less, grey is within "
                                + NumberFormat.threeDigits(ProfileScale.BEYOND)
                                + " standard deviations of what samples vary by. The width is the mean of both, so that"
                                + " frames of only one variant are there, too.",
                        bias(shown.after())));
        Html table = table(
                "Changes in " + unit + ", those within the noise last",
                List.of("frame", "cost before", "cost after", "cost change", "change of self", "beyond noise"),
                changes(difference));
        return fitting(
                shown.title(),
                header,
                table,
                longest -> FlameData.of(difference.tree(), difference.first(), difference.second(), unit, longest));
    }

    private static String kernel(ShownProfile profile) {
        return profile.result().kernel() || profile.result().event() != ProfileSpec.Event.CPU
                ? ""
                : "Frames of the kernel have no names here (kernel.perf_event_paranoid, kernel.kptr_restrict).";
    }

    private static String bias(ShownProfile profile) {
        return profile.result().biased()
                ? "Flight Recorder took it: it sees Java code alone, neither collector nor compiler nor kernel, and only"
                        + " at places where the compiler left a description of the stack, so that what is hot may be"
                        + " charged to a caller."
                : "";
    }

    private interface Data {
        String within(int longest);
    }

    /** A page that is no larger than it may be: thin frames are left out first. */
    private static String fitting(String title, Html header, Html table, Data data) {
        int bare = bytes(page(title, header, table, "{}"));
        // Other characters than ASCII are escaped in it, so that a character is a byte.
        return page(title, header, table, data.within(LARGEST - bare));
    }

    private static int bytes(String page) {
        return page.getBytes(StandardCharsets.UTF_8).length;
    }

    private static Html header(String title, List<String> sentences) {
        Html html = new Html().open("div", "id", "answer").element("h1", title);
        sentences.stream().filter(sentence -> !sentence.isEmpty()).forEach(sentence -> html.element("p", sentence));
        return html.close();
    }

    private static String page(String title, Html header, Html table, String data) {
        return Page.of(
                title + " · Weir",
                header,
                List.of(
                        new Page.Part("flame-graph", "Flame graph", graph(title, data)),
                        new Page.Part("frames", "Frames", table)),
                "Made by Weir; the stacks are in the folder of the trial, collapsed, as other tools read them.",
                "flame");
    }

    private static Html graph(String title, String data) {
        Html html = new Html();
        html.open("p", "class", "note")
                .text(
                        "A frame is as wide as its share, and hangs below the one that called it; pools of threads are the"
                                + " first row. Click or Enter zooms, arrow keys walk, Escape shows all again. Those too thin to draw stand together as "
                                + FlameData.THIN + ", which the search does not look into; the table does.")
                .close();
        html.open("div", "class", "flame-tools");
        html.open("label")
                .text("Search ")
                .open("input", "type", "search", "id", "query", "autocomplete", "off", "spellcheck", "false");
        html.close();
        html.element("button", "Show all", "type", "button", "id", "reset");
        html.element("output", "", "id", "matched", "for", "query").close();
        html.element("p", "", "id", "frame", "class", "flame-frame");
        html.open("div", "id", "flame", "class", "flame", "role", "tree", "aria-label", "Flame graph: " + title)
                .close();
        html.open("noscript")
                .element("p", "The graph needs scripts; the table below does not.")
                .close();
        return html.verbatim("script", data, "type", "application/json", "id", "profile");
    }

    private static List<List<String>> frames(ShownProfile profile) {
        return profile.tree().methods().stream()
                .limit(ROWS)
                .map(method -> List.of(
                        name(method.name()),
                        percent(profile.percent(method.firstItself())),
                        percent(profile.percent(method.first()))))
                .toList();
    }

    static String percent(double percent) {
        return String.format(Locale.ROOT, percent < 10 ? "%.2f %%" : "%.1f %%", percent);
    }

    private static List<List<String>> changes(ProfileDifference difference) {
        return difference.changes().stream()
                .limit(ROWS)
                .map(change -> List.of(
                        name(change.name()),
                        NumberFormat.threeDigits(change.before()),
                        NumberFormat.threeDigits(change.after()),
                        signed(change.difference()),
                        signed(change.itself()),
                        noise(change)))
                .toList();
    }

    static String noise(ProfileDifference.Change change) {
        return change.beyond() ? "yes" : "no";
    }

    static String signed(double change) {
        return (change > 0 ? "+" : "") + NumberFormat.threeDigits(change);
    }

    static String name(String frame) {
        return frame.length() <= DEEPEST_NAME ? frame : frame.substring(0, DEEPEST_NAME - 1) + "…";
    }

    private static Html table(String caption, List<String> columns, List<List<String>> rows) {
        Html html = new Html();
        html.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", "Frames");
        html.open("table").element("caption", caption);
        html.open("thead").open("tr");
        for (int i = 0; i < columns.size(); i++) {
            html.element("th", columns.get(i), "scope", "col", "class", i == 0 ? "text" : "figure");
        }
        html.close().close().open("tbody");
        for (List<String> row : rows) {
            html.open("tr").element("th", row.get(0), "scope", "row", "class", "text");
            row.stream().skip(1).forEach(cell -> html.element("td", cell, "class", "figure"));
            html.close().line();
        }
        return html.close().close().close();
    }
}

package weir.report.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import weir.judge.profile.CpuShare;
import weir.judge.profile.ProfileDifference;
import weir.judge.profile.ProfileScale;
import weir.judge.profile.StackTree;
import weir.plan.ProfileSpec;
import weir.report.RunView;
import weir.report.TextLines;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.results.value.NumberFormat;

/** The profiles of a run: what weighs most in each, and what differs most between two; their flame graphs are pages beside. */
public final class ProfileSection {
    private static final int TOP = 10;
    private static final int TOLD = 3;
    /** So many tables of each kind are in the report, and all on pages of their own. */
    private static final int TABLES = 12;

    private ProfileSection() {}

    public static boolean any(RunView run) {
        return !ShownProfile.finished(run.folder()).isEmpty();
    }

    public static Html html(RunView run) {
        List<String> notes = new ArrayList<>(ShownProfile.notes(run.folder()));
        List<ShownProfile> profiles = ShownProfile.of(run.folder(), notes::add);
        ShownDifference.All compared = ShownDifference.of(run.asked().compare(), profiles);
        notes.addAll(compared.reasons());
        List<ShownDifference> differences = compared.differences();
        Html html = new Html();
        html.element(
                "p",
                "Each variant was profiled in a trial of its own behind all others, because a profiler slows down what it"
                        + " looks at: no figure of this report is taken from those trials.",
                "class",
                "note");
        notes.forEach(note -> html.element("p", note));
        html.add(shares(profiles));
        links(profiles, differences, html);
        profiles.stream()
                .filter(profile -> !profile.empty())
                .limit(TABLES)
                .forEach(profile -> html.add(frames(profile)));
        differences.stream().limit(TABLES).forEach(difference -> html.add(changes(difference)));
        if (profiles.size() > TABLES || differences.size() > TABLES) {
            html.element("p", "The tables of the others are on their pages.", "class", "note");
        }
        return html;
    }

    private static String label(ShownProfile profile) {
        return profile.variant() + ", " + profile.result().process() + ", " + profile.event();
    }

    private static String id(String page) {
        return "t-profile-" + page.replace(".html", "");
    }

    private static Html shares(List<ShownProfile> profiles) {
        Table table = new Table(1, "profile", "profiler samples", "GC share", "compiler share", "kernel share");
        for (ShownProfile profile : profiles) {
            Map<CpuShare, Long> shares = CpuShare.of(profile.tree());
            table.row(
                    label(profile),
                    NumberFormat.count(profile.result().samples()),
                    share(profile, shares, CpuShare.GC),
                    share(profile, shares, CpuShare.COMPILER),
                    share(profile, shares, CpuShare.KERNEL));
        }
        return table.html("t-profiles", "Profiles");
    }

    /** Only of the CPU, and only where the tool sees native threads. */
    private static String share(ShownProfile profile, Map<CpuShare, Long> shares, CpuShare of) {
        boolean seen = profile.result().event() == ProfileSpec.Event.CPU
                && !profile.result().biased()
                && !profile.empty()
                && (of != CpuShare.KERNEL || profile.result().kernel());
        return seen ? FlamePage.percent(profile.percent(shares.getOrDefault(of, 0L))) : NumberFormat.MISSING;
    }

    private static void links(List<ShownProfile> profiles, List<ShownDifference> differences, Html html) {
        html.element("p", "Flame graphs are pages beside this file, in the folder of the run:");
        html.open("ul");
        for (ShownProfile profile : profiles) {
            if (profile.empty()) {
                html.element("li", label(profile) + ": nothing was seen");
            } else {
                html.open("li").element("a", "Flame graph: " + label(profile), "href", "profile/" + profile.page());
                html.text(" – " + profile.taken()).close();
            }
        }
        for (ShownDifference difference : differences) {
            html.open("li")
                    .element("a", "Difference: " + difference.title(), "href", "profile/" + difference.page())
                    .close();
        }
        html.close();
    }

    private static Html frames(ShownProfile profile) {
        Table table = new Table(1, "frame", "self", "with callees");
        profile.tree().methods().stream()
                .limit(TOP)
                .forEach(method -> table.row(
                        FlamePage.name(method.name()),
                        FlamePage.percent(profile.percent(method.firstItself())),
                        FlamePage.percent(profile.percent(method.first()))));
        return table.html(id(profile.page()), label(profile));
    }

    private static Html changes(ShownDifference shown) {
        Table table = new Table(1, "frame", "cost before", "cost after", "cost change", "beyond noise");
        shown.difference().changes().stream()
                .limit(TOP)
                .forEach(change -> table.row(
                        FlamePage.name(change.name()),
                        NumberFormat.threeDigits(change.before()),
                        NumberFormat.threeDigits(change.after()),
                        FlamePage.signed(change.difference()),
                        FlamePage.noise(change)));
        return table.html(id(shown.page()), shown.title() + ": " + ProfileScale.unit(shown.event()));
    }

    /** On a terminal that of the CPU alone; the pages have all. */
    public static void lines(RunView run, TextLines lines) {
        List<ShownProfile> profiles = ShownProfile.of(run.folder(), unread -> {});
        ShownProfile.notes(run.folder()).forEach(note -> lines.wrap("  ", "profile of " + note));
        for (ShownProfile profile : profiles) {
            if (!profile.empty() && profile.result().event() == ProfileSpec.Event.CPU) {
                lines.wrap("  ", "profile of " + label(profile) + ": " + top(profile));
            }
        }
        for (ShownDifference shown :
                ShownDifference.of(run.asked().compare(), profiles).differences()) {
            if (shown.event() != ProfileSpec.Event.CPU) {
                continue;
            }
            List<ProfileDifference.Change> beyond = shown.difference().changes().stream()
                    .filter(ProfileDifference.Change::beyond)
                    .limit(TOLD)
                    .toList();
            lines.wrap(
                    "  ",
                    "profile of " + shown.title() + ": "
                            + (beyond.isEmpty()
                                    ? "no frame differs beyond the noise"
                                    : changed(beyond) + " " + ProfileScale.unit(shown.event())));
        }
    }

    private static String top(ShownProfile profile) {
        List<String> told = profile.tree().methods().stream()
                .limit(TOLD)
                .map((StackTree.Method method) -> String.format(
                        Locale.ROOT,
                        "%s %s",
                        FlamePage.name(method.name()),
                        FlamePage.percent(profile.percent(method.firstItself()))))
                .toList();
        return String.join(", ", told);
    }

    private static String changed(List<ProfileDifference.Change> changes) {
        return String.join(
                ", ",
                changes.stream()
                        .map(change -> FlamePage.name(change.name()) + " " + FlamePage.signed(change.difference()))
                        .toList());
    }
}

package weir.feature.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.plan.RecordKeys;
import weir.plan.SyntheticTrial;
import weir.plan.syntax.CaveatType;
import weir.plan.trial.Trial;
import weir.report.HtmlReport;
import weir.report.RunView;
import weir.report.Section.SidePages;
import weir.report.block.HtmlBlocks;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.RunFolder;
import weir.results.TrialWriter;
import weir.results.Trials;
import weir.results.value.Caveat;

class ProfileSectionTest {
    private static final Instant START = Instant.parse("2026-11-20T06:00:00Z");
    private static final List<ProfileSpec.Event> EVENTS = List.of(ProfileSpec.Event.CPU, ProfileSpec.Event.ALLOC);

    @TempDir
    Path dir;

    private RunFolder folder;

    private static RequestedExperiment asked() {
        List<RequestedExperiment.Variant> variants = List.of("a", "b", "c").stream()
                .map(name -> new RequestedExperiment.Variant(name, 1, new TreeMap<>(), List.of()))
                .toList();
        return RecordKeys.with(Trials.asked("x"), Map.of("variants", variants, "compare", List.of("b / a")));
    }

    @BeforeEach
    void threeVariantsWereProfiled() {
        folder = RunFolder.create(dir, START, "", asked(), path -> {});
        folder.machine(new Machine(Map.of(), Map.of(), List.of()));
        profiled(1, "a", List.of());
        profiled(2, "b", List.of());
        profiled(3, "c", List.of(Caveat.of(CaveatType.named("generator-late"), 3, "9 ms late")));
    }

    private void profiled(int number, String variant, List<Caveat> caveats) {
        Trial trial = new Trial(number, SyntheticTrial.of(number, variant, 1).variant(), 1, Trial.PROFILE);
        try (TrialWriter writer = folder.trial(trial, START)) {
            List<ProfileResult> results = new ArrayList<>();
            for (ProfileSpec.Event event : EVENTS) {
                ProfileResult result =
                        new ProfileResult("broker-1", event, "tool", "timer", false, false, 9, 9, 1, 0.002, 5);
                ProfiledTrial.write(writer.path(), result, Map.of("[pool];Log.append;" + variant, 9L));
                results.add(result);
            }
            ProfiledTrial.write(writer.path(), new ProfiledTrial.Contents(List.of("broker-1"), results, List.of()));
            writer.finish(Trials.max(variant, 1, 100), caveats);
        }
    }

    private Path page(String name) {
        return folder.path().resolve("profile").resolve(name);
    }

    @Test
    void stacksAreReadOncePerPageAndNotKept() {
        List<String> done = new ArrayList<>();
        BiConsumer<String, Supplier<String>> put = (file, page) -> {
            assertThat(page.get()).contains("Log.append");
            done.add(file.replace("profile/", "").replace(".html", ""));
        };
        SidePages pages = new SidePages(true, put, act -> {});
        String html = HtmlBlocks.of(ProfileSection.page(RunView.of(folder), pages, (profile, out) -> {
                    done.add("read " + profile.title());
                    ShownProfile.Stacks.ON_DISK.read(profile, out);
                }))
                .toString();
        assertThat(html).contains("id=\"t-profile-01-broker-1-cpu\"", "id=\"t-profile-02-over-01-broker-cpu\"");
        assertThat(done)
                .containsExactly(
                        "read a, broker-1, cpu",
                        "01-broker-1-cpu",
                        "read a, broker-1, alloc",
                        "01-broker-1-alloc",
                        "read b, broker-1, cpu",
                        "02-broker-1-cpu",
                        "read b, broker-1, alloc",
                        "02-broker-1-alloc",
                        "read c, broker-1, cpu",
                        "03-broker-1-cpu",
                        "read c, broker-1, alloc",
                        "03-broker-1-alloc",
                        "read a, broker-1, cpu",
                        "read b, broker-1, cpu",
                        "02-over-01-broker-cpu",
                        "read a, broker-1, alloc",
                        "read b, broker-1, alloc",
                        "02-over-01-broker-alloc");
    }

    @Test
    void unreadableStacksDropOnlyTheirPartOfTheSection() throws IOException {
        Files.writeString(folder.profiled().get(1).path().resolve("broker-1-cpu.collapsed.gz"), "no such thing");
        String html = HtmlBlocks.of(ProfileSection.page(RunView.of(folder), SidePages.NONE))
                .toString();
        assertThat(html)
                .contains("broker-1-cpu.collapsed.gz: cannot be read", "t-profile-01-broker-1-cpu")
                .contains("no difference of b / a in broker, cpu: no process of this kind was profiled in b")
                .contains("t-profile-02-over-01-broker-alloc")
                .doesNotContain("t-profile-02-broker-1-cpu");
    }

    @Test
    void invalidProfiledTrialIsReported() {
        assertThat(HtmlBlocks.of(ProfileSection.page(RunView.of(folder), SidePages.NONE))
                        .toString())
                .contains(
                        "<p>c: the profiled trial is invalid (generator-late: 9 ms late), so its profiles may show another load")
                .doesNotContain("<p>a: the profiled trial");
    }

    @Test
    void reportLinksToFlamePagesOnlyIfTheyExist() throws IOException {
        assertThat(Files.readString(HtmlReport.write(folder)))
                .contains("href=\"profile/01-broker-1-cpu.html\"")
                .contains("pages in the folder of the run. The links work only if this file is in the same folder");
        assertThat(HtmlReport.of(folder))
                .contains("Flame graph: a, broker-1, cpu")
                .contains("a page for each flame graph")
                .doesNotContain("href=\"profile/");
    }

    @Test
    void onlyFlamePagesOfAnEarlierReportAreDeleted() throws IOException {
        HtmlReport.write(folder);
        Path stale = page("03-broker-1-cpu.html");
        String ours = Files.readString(stale);
        Path copied = Files.writeString(page("kept for later.html"), ours);
        Path written = Files.writeString(page("04-broker-1-cpu.html"), "mine");
        Path linked = Files.createSymbolicLink(page("05-broker-1-cpu.html"), copied);
        for (ProfileSpec.Event event : EVENTS) {
            Files.delete(page("03-c-1").resolve("broker-1-" + event.word() + ".collapsed.gz"));
        }
        HtmlReport.write(folder);
        assertThat(stale).doesNotExist();
        assertThat(page("03-broker-1-alloc.html")).doesNotExist();
        assertThat(List.of(copied, written, linked, page("01-broker-1-cpu.html"), page("02-over-01-broker-cpu.html")))
                .allSatisfy(file -> assertThat(file).exists());
    }

    @Test
    void flamePagesAreWrittenBeforeTheReportAndStaleOnesDeletedAfter() throws IOException {
        Path stale = Files.writeString(page("07-broker-1-cpu.html"), FlamePage.FOOTER);
        Files.createDirectories(folder.report().resolve("in the way"));
        assertThatThrownBy(() -> HtmlReport.write(folder)).isInstanceOf(UncheckedIOException.class);
        assertThat(page("03-broker-1-cpu.html")).exists();
        assertThat(stale).exists();
    }
}

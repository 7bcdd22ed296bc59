package weir.feature.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import weir.plan.Golden;
import weir.plan.syntax.CaveatType;
import weir.results.value.Caveat;

class FlamePageTest {
    private static final Pattern CODE = Pattern.compile("<(style|script)>.*?</\\1>", Pattern.DOTALL);

    private static String page(StackTree tree, boolean biased) {
        return FlamePage.of(shown(tree, biased), tree, tree.methods());
    }

    private static ShownProfile shown(StackTree tree, boolean biased) {
        long total = tree.root().first();
        ProfileResult result = new ProfileResult(
                "broker-1",
                ProfileSpec.Event.CPU,
                "async-profiler 4.5",
                "ctimer",
                false,
                biased,
                total,
                total,
                1,
                0.002,
                5);
        return shown("base", result, 10_000, List.of("broker-1"));
    }

    private static ShownProfile shown(String variant, ProfileResult result, long records, List<String> asked) {
        ProfiledTrial.Contents contents = new ProfiledTrial.Contents(asked, List.of(result), List.of());
        return new ShownProfile(1, variant, new ProfiledTrial(Path.of("x"), 5, records, contents), result, List.of());
    }

    private static StackTree small() {
        StackTree tree = new StackTree();
        tree.add("[handler-#];Thread.run;Log.append;Crc32C.update", 60);
        tree.add("[handler-#];Thread.run;Log.append;write;ext4_write_[k]", 30);
        tree.add("[C2 CompilerThre];Compile::Compile", 10);
        return tree;
    }

    /** Returns the page without the code that all pages share. */
    private static String bare(String page) {
        return CODE.matcher(page).replaceAll("<$1/>").replaceAll("sha256-[A-Za-z0-9+/=]*", "sha256");
    }

    @Test
    void flamePageMatchesTheGoldenFile() {
        Golden.assertSame("src/test/resources/weir/feature/profile/flame.html", bare(page(small(), false)));
    }

    @Test
    void differencePageMatchesTheGoldenFile() {
        StackTree tree = small();
        tree.addSecond("[handler-#];Thread.run;Log.append;Crc32C.update", 61);
        tree.addSecond("[handler-#];Thread.run;Log.append;Hot.spin", 80);
        ProfileScale scale = ProfileScale.of(ProfileSpec.Event.CPU, 0.002, 1, 10_000, 5);
        ShownDifference shown = new ShownDifference(List.of(shown(tree, false)), List.of(shown(tree, false)));
        ProfileDifference difference = new ProfileDifference(tree, scale, scale);
        Golden.assertSame(
                "src/test/resources/weir/feature/profile/difference.html",
                bare(FlamePage.of(shown, difference, difference.changes())));
    }

    @Test
    void frameNamesAreEscapedInTheFlamePage() {
        StackTree tree = new StackTree();
        tree.add("[</script><script>alert(1)</script>];<img src=x onerror=alert(2)>;\u202Eevil\u0007", 3);
        String page = page(tree, false);
        assertThat(page)
                .doesNotContain("<script>alert")
                .doesNotContain("<img src=x")
                .doesNotContain("\u202E")
                .contains("&lt;img src=x onerror=alert(2)&gt;");
        assertThat(Pattern.compile("<script").matcher(page).results().count()).isEqualTo(2);
        assertThat(page).contains("Content-Security-Policy").contains("default-src &#39;none&#39;");
    }

    @Test
    void flamePageStatesSamplingBiasAndMissingKernelNames() {
        assertThat(page(small(), true)).contains("Flight Recorder took this profile");
        assertThat(page(small(), false))
                .doesNotContain("Flight Recorder took this profile")
                .contains("The kernel hides the names of its frames");
    }

    @Test
    void flamePageKeepsWideFramesWithinItsSizeLimit() {
        StackTree tree = new StackTree();
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 4_000; i++) {
            StringBuilder stack = new StringBuilder("[pool]");
            for (int depth = 0; depth < 20; depth++) {
                stack.append(";org.apache.kafka.somewhere.Class")
                        .append(depth)
                        .append(".method")
                        .append(i);
            }
            tree.add(stack.toString(), 1 + random.nextInt(1_000));
        }
        tree.add("[pool];wide", 500_000);
        String page = page(tree, false);
        assertThat(page.getBytes(StandardCharsets.UTF_8).length)
                .isLessThanOrEqualTo(FlamePage.LARGEST)
                .isGreaterThan(FlamePage.LARGEST / 2);
        assertThat(page).contains("\"wide\"");
    }

    @Test
    void narrowFramesAreMergedUnderTheirParent() {
        StackTree tree = new StackTree();
        for (int i = 0; i < 20_000; i++) {
            tree.add("[pool];Handler.handle;Thin" + i + ".crc", 3);
        }
        tree.add("[pool];Handler.handle;Wide.work", 40_000);
        String data = FlamePage.FlameData.of(tree, ProfileScale.bare(1), "samples", 100_000);
        assertThat(data).contains("\"names\":[\"Handler.handle\",\"Wide.work\",\"[pool]\",\"[thin frames]\",\"all\"]");
        assertThat(numbers(data, "depth")).isEqualTo("0,1,2,3,3");
        // 100,000 frames are written as 99,999 frames with a weight a little above one.
        assertThat(numbers(data, "weight")).isEqualTo("99999,99999,99999,40000,59999");
    }

    @Test
    void flightRecorderProfileHasNoCostPerRecord() {
        ShownProfile guessed = shown(small(), true);
        assertThat(guessed.costs()).isFalse();
        assertThat(guessed.unit()).isEqualTo("samples");
        assertThat(page(small(), true)).doesNotContain("per record");
        assertThat(page(small(), false)).contains("CPU per record");
    }

    @Test
    void flamePageHasNoCostPerRecordWithoutACount() {
        ShownProfile uncounted = shown("base", shown(small(), false).result(), 0, List.of("broker-1"));
        assertThat(FlamePage.of(uncounted, small(), small().methods()))
                .contains("60.0 %")
                .doesNotContain("per record");
    }

    private static ShownProfile of(String variant, String process, String tool, List<String> asked) {
        ProfileResult result =
                new ProfileResult(process, ProfileSpec.Event.WALL, tool, "x", false, false, 9, 9, 1, 0.02, 5);
        return shown(variant, result, 0, asked);
    }

    private final List<String> reasons = new ArrayList<>();

    private void notCompared(ShownProfile... profiles) {
        assertThat(ShownDifference.of(List.of("b / a"), List.of(profiles), reasons::add))
                .isEmpty();
    }

    @Test
    void profileOfTooShortATimeIsNotCompared() {
        ShownProfile whole = of("a", "broker-1", "t", List.of("broker-1"));
        ShownProfile other = of("b", "broker-1", "t", List.of("broker-1"));
        ShownProfile cut = new ShownProfile(
                2,
                "b",
                other.trial(),
                other.result(),
                List.of(Caveat.of(
                        CaveatType.named("profile-too-short"), 2, "broker-1, wall: profiled for 0.013 s of 3.00 s")));
        notCompared(whole, cut);
        assertThat(reasons)
                .containsExactly(
                        "no difference of b / a in broker, wall: b, broker-1, wall was profiled for too short a"
                                + " time (profile-too-short)");
        assertThat(ShownDifference.of(List.of("b / a"), List.of(whole, other), reasons::add))
                .hasSize(1);
    }

    @Test
    void incompleteBrokerProfilesAreNotCompared() {
        List<String> two = List.of("broker-1", "broker-2");
        notCompared(of("a", "broker-1", "t", two), of("a", "broker-2", "t", two), of("b", "broker-1", "t", two));
        assertThat(reasons)
                .containsExactly(
                        "no difference of b / a in broker, wall: not all processes of this kind were profiled in"
                                + " both variants");
    }

    @Test
    void profilesOfDifferentToolsAreNotCompared() {
        notCompared(of("a", "worker", "one", List.of("worker")), of("b", "worker", "other", List.of("worker")));
        assertThat(reasons).singleElement().asString().contains("different tools or settings");
    }

    @Test
    void framesOfATreeAreWrittenFromTheRootOn() {
        String data = FlamePage.FlameData.of(
                small(), ProfileScale.of(ProfileSpec.Event.CPU, 0.002, 1, 1_000, 5), "unit", 10_000);
        assertThat(numbers(data, "depth")).isEqualTo("0,1,2,1,2,3,4,4,5");
        assertThat(numbers(data, "weight")).isEqualTo("100,10,10,90,90,90,60,30,30");
    }

    private static String numbers(String data, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":\\[([0-9,]*)]").matcher(data);
        assertThat(found.find()).isTrue();
        return found.group(1);
    }
}

package weir.feature.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.host.mbean.LocalMBeans;
import weir.plan.Experiment;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.real.ChromiumTab;
import weir.real.HotAuthorizer;
import weir.report.HtmlReport;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.run.RunOptions;
import weir.run.Runner;

/** Profiles of real JVMs with known hot methods. */
class ProfileIT {
    private static final String HOT = "weir.real.HotAuthorizer.burn";

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** Elements beyond the right edge, except in tables, which scroll by themselves. */
    private static final String WIDER = """
            [...document.querySelectorAll('body *')]
                .filter(one => !one.closest('.scroll table') && one.getBoundingClientRect().right > innerWidth + 1)
                .map(one => one.outerHTML.slice(0, 100)).join()
            """;

    private static final String WALK = """
            (() => {
                const key = name => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
                const said = [];
                const say = () => said.push(document.activeElement.getAttribute('aria-label').split(':')[0]);
                document.getElementById('query').value = 'HotAuthorizer.burn';
                document.getElementById('query').dispatchEvent(new Event('input'));
                said.push(document.getElementById('matched').textContent);
                document.querySelector('#flame .match').click();
                said.push('zoomed ' + document.querySelector('#flame .match').style.width);
                document.querySelector('#flame [tabindex="0"]').focus();
                key('ArrowUp'); say();
                key('Escape'); say();
                key('ArrowDown'); say();
                return said.join('|');
            })()
            """;

    @TempDir
    Path dir;

    @Test
    @Tag("long")
    void hotBrokerMethodTopsTheFlameGraphAndTheDifference() throws Exception {
        Path file = Files.writeString(dir.resolve("hot.yaml"), """
                name: hot
                cluster:
                  jvm: ["-javaagent:%s"]
                  broker: { authorizer.class.name: weir.real.HotAuthorizer }
                topics: { cold: {}, hot: {} }
                load: { rate: 500/s, value: { size: 200 }, producer: { linger.ms: 0 } }
                warmup: 1s
                measure: 2s
                verify: false
                variants:
                  cold: { load: { topics: [cold] } }
                  hot: { load: { topics: [hot] } }
                profile: { of: [brokers, workers] }
                """.formatted(HotAuthorizer.jar(dir)));
        Experiment experiment = PlanReader.read(file, new Overrides(List.of(), List.of(), "", "", List.of(), true));
        RunOptions options = new RunOptions(dir.resolve("runs"), true, 0, 0, Path.of(""), "test", "weir run");
        RunResult result = new Runner(experiment, options, question -> true).run();
        RunFolder folder = RunFolder.open(Path.of(result.run()));
        assertThat(result.trials()).hasSize(2);
        List<ProfiledTrial> profiled = folder.profiled().stream()
                .flatMap(trial -> ProfiledTrial.of(trial).stream())
                .toList();
        assertThat(profiled).hasSize(2).allSatisfy(trial -> {
            // Also the profile of a worker that has only just started.
            assertThat(trial.contents().notes()).isEmpty();
            assertThat(trial.contents().profiles())
                    .extracting(ProfileResult::process)
                    .containsExactly("broker-1", "worker");
            assertThat(trial.records()).isEqualTo(1_000);
        });
        ProfileResult cold = profiled.get(0).contents().profiles().get(0);
        ProfileResult hot = profiled.get(1).contents().profiles().get(0);
        assertThat(hot.tool()).startsWith("async-profiler");

        StackTree tree = new StackTree();
        profiled.get(1).stacks(hot, tree::add);
        StackTree.Method top = tree.methods().get(0);
        assertThat(top.name()).isEqualTo(HOT);
        assertThat(top.firstItself()).isGreaterThan(hot.total() / 20);

        StackTree both = new StackTree();
        profiled.get(0).stacks(cold, both::add);
        profiled.get(1).stacks(hot, both::addSecond);
        ProfileDifference difference =
                new ProfileDifference(both, scale(profiled.get(0), cold), scale(profiled.get(1), hot));
        ProfileDifference.Change change = difference.changes().get(0);
        assertThat(change.name()).isEqualTo(HOT);
        assertThat(change.beyond()).isTrue();
        assertThat(change.before()).isZero();
        assertThat(change.after()).isPositive();

        Path report = HtmlReport.write(folder);
        assertThat(report)
                .content()
                .contains("profile/02-over-01-broker-cpu.html")
                .contains(HOT);
        for (String page : List.of("01-broker-1-cpu", "02-broker-1-cpu", "02-over-01-broker-cpu")) {
            assertThat(Files.size(folder.path().resolve("profile/" + page + ".html")))
                    .isLessThanOrEqualTo(300_000);
        }
        browse(folder.path().resolve("profile/02-over-01-broker-cpu.html"));
    }

    private static ProfileScale scale(ProfiledTrial trial, ProfileResult profile) {
        return ProfileScale.of(
                profile.event(), profile.perUnit(), profile.sample(), (double) trial.records(), profile.seconds());
    }

    /** Finds a frame, walks to it, zooms, and shows all again, only by the keyboard and on the width of a phone. */
    private void browse(Path page) throws IOException, InterruptedException {
        try (ChromiumTab tab = ChromiumTab.open(dir)) {
            tab.size(360, 800);
            tab.go(page.toUri().toString());
            tab.await("document.querySelectorAll('#flame [role=treeitem][aria-level=\"2\"]').length > 0", TIMEOUT);
            assertThat(tab.value("document.documentElement.scrollWidth")).isEqualTo("360");
            assertThat(tab.value(WIDER)).as("wider than the page").isEmpty();
            assertThat(tab.value("document.querySelectorAll('#flame .more3').length"))
                    .isNotEqualTo("0");
            assertThat(tab.value(WALK))
                    .matches("matched [0-9.]+ %[|]zoomed 100%[|]weir.real.HotAuthorizer.authorize[|]all[|].+");
            assertThat(tab.complaints()).isEmpty();
        }
    }

    /** A JVM with one hot method, in Java code that any profiler can see. */
    static final class Burner {
        private static volatile long burnt;

        private Burner() {}

        public static void main(String[] arguments) throws IOException {
            LocalMBeans.serve();
            for (String name : List.of("alpha-1", "beta-1")) {
                Thread thread = new Thread(Burner::burn, name);
                thread.setDaemon(true);
                thread.start();
            }
            System.out.println("up");
            // Ends with its parent.
            System.in.transferTo(OutputStream.nullOutputStream());
        }

        private static void burn() {
            while (true) {
                long sum = burnt;
                for (int i = 0; i < 100_000; i++) {
                    sum = hot(sum, i);
                }
                burnt = sum;
            }
        }

        private static long hot(long sum, int i) {
            return sum * 31 + (sum >>> 3 ^ i);
        }
    }

    private List<ProfileResult> profiled(List<ProfileSpec.Event> events, Path library, List<String> notes)
            throws Exception {
        Process burner = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-Djava.io.tmpdir=" + dir,
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Burner.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("burner.out").toFile())
                .start();
        // A JVM that still starts handles the attach signal as a request to print its threads.
        while (!Files.readString(dir.resolve("burner.out")).contains("up")) {
            assertThat(burner.isAlive()).isTrue();
            LockSupport.parkNanos(10_000_000);
        }
        try (JvmProfiler profiler = JvmProfiler.attach(burner.pid(), events, dir, library)) {
            profiler.start(Instant::now);
            Instant from = Instant.now();
            LockSupport.parkNanos(1_500_000_000L);
            Instant to = Instant.now();
            profiler.stop(Instant.now());
            List<ProfileResult> profiles = profiler.profiles("burner", from, to);
            notes.addAll(profiler.notes());
            return profiles;
        } finally {
            burner.destroyForcibly().waitFor();
            assertThat(Files.readString(dir.resolve("burner.out"))).doesNotContain("rofil");
            assertThat(dir).isDirectoryNotContaining("glob:**.jfr");
        }
    }

    private long share(ProfileResult profile, String method) {
        long[] sum = {0};
        new ProfiledTrial(dir, 1, 0, new ProfiledTrial.Contents(List.of(), List.of(), List.of()))
                .stacks(profile, (stack, weight) -> sum[0] += stack.contains(method) ? weight : 0);
        return 100 * sum[0] / Math.max(1, profile.total());
    }

    @Test
    void allEventsAreProfiledInOneTrial() throws Exception {
        List<String> notes = new ArrayList<>();
        List<ProfileResult> profiles =
                profiled(List.of(ProfileSpec.Event.values()), ProfilerLibrary.in(dir.resolve("cache")), notes);
        assertThat(profiles).extracting(ProfileResult::event).containsExactly(ProfileSpec.Event.values());
        assertThat(share(profiles.get(0), "Burner.burn")).isGreaterThan(80);
        // Both threads do the same amount of the same work.
        assertThat(share(profiles.get(0), "[alpha-#];")).isBetween(20L, 80L);
        assertThat(share(profiles.get(0), "[beta-#];")).isBetween(20L, 80L);
        assertThat(profiles.get(0).biased()).isFalse();
        assertThat(profiles.get(3).samples()).isPositive();
        assertThat(notes).isEmpty();
    }

    @Test
    @Tag("long")
    void unloadableProfilerFallsBackToFlightRecorderWithANote() throws Exception {
        List<String> notes = new ArrayList<>();
        Path other = Files.writeString(dir.resolve("other.so"), "no library");
        List<ProfileResult> profiles = profiled(List.of(ProfileSpec.Event.CPU, ProfileSpec.Event.WALL), other, notes);
        assertThat(profiles).singleElement().satisfies(profile -> {
            assertThat(profile.tool()).isEqualTo("Flight Recorder");
            assertThat(profile.biased()).isTrue();
            assertThat(share(profile, "Burner.burn")).isGreaterThan(80);
        });
        assertThat(notes)
                .anyMatch(note -> note.startsWith("async-profiler is unavailable (") && note.contains("other.so"))
                .anyMatch(note -> note.contains("no profile by wall"));
    }
}

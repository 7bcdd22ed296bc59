package weir.feature.live;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.http.LiveServer;
import weir.plan.trial.Estimate;
import weir.real.ChromiumTab;
import weir.real.Door;
import weir.report.SyntheticRun;
import weir.results.RunFolder;

/**
 * The cost of a live page. For the conductor, a run alternates between an open page and none. Network and browser are
 * measured, too. Prints rows of a table for bench/watching.
 */
final class LivePageCost {
    private static final double TICKS = 100;
    private static final Pattern URL = Pattern.compile("live page: (\\S+)");
    private static final String APPEND = """
            (async () => {
              const label = weir.shown();
              let x = weir.last(), sum = 0, worst = 0;
              for (let i = 0; i < 60; i++) {
                const began = performance.now();
                weir.append({ trial: label, x: ++x, charts: { "time-0": [["response p99", "c1 solid", 3 + i % 7]] } });
                await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
                const took = performance.now() - began;
                sum += took;
                worst = Math.max(worst, took);
              }
              return (sum / 60).toFixed(1) + " " + worst.toFixed(1);
            })()""";

    private LivePageCost() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path dir = Path.of(arguments[0]);
        int turns = Integer.parseInt(arguments[1]);
        int seconds = Integer.parseInt(arguments[2]);
        try (ChromiumTab tab = ChromiumTab.open(dir)) {
            hour(tab, dir.resolve("hour"));
            conductor(tab, dir, turns, seconds);
        }
    }

    private static void row(String what, String format, Object... figures) {
        System.out.println("| " + what + " | " + String.format(Locale.ROOT, format, figures) + " |");
    }

    private static void hour(ChromiumTab tab, Path runs) throws IOException, InterruptedException {
        RunFolder folder = SyntheticRun.hours(runs, 1).write();
        RunPage page = new RunPage(System::nanoTime, () -> {});
        try (LiveServer server = LiveServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), "", page.paths(), page.streams())) {
            page.started(folder.path(), new Estimate(2, Duration.ofHours(2), 0, 0, 0, true, 0));
            page.render();
            long began = System.nanoTime();
            page.render();
            row("two trials of an hour: the report is made again in", "%d ms", (System.nanoTime() - began) / 1_000_000);
            tab.size(1280, 900);
            long before = tab.received();
            tab.go(server.url().toString());
            tab.await("document.querySelectorAll('canvas').length > 5", Duration.ofSeconds(30));
            row("the whole page, packed", "%d kB", (tab.received() - before) / 1_000);
            tab.value("document.getElementById('time').scrollIntoView({ behavior: 'instant' })");
            String[] frames = tab.value(APPEND).split(" ", -1);
            row(
                    "one second more in the charts in sight, until drawn: mean and worst of 60",
                    "%s ms, %s ms",
                    frames[0],
                    frames[1]);
        }
    }

    private static void conductor(ChromiumTab tab, Path dir, int turns, int turn)
            throws IOException, InterruptedException {
        Door door = new Door(Files.createDirectories(dir.resolve("door")));
        int seconds = (2 * turns + 1) * turn + 30;
        Path file = door.file(
                "watched.yaml",
                "name: watched\nload: { rate: 2000/s, producers: 1, consumers: 1, workload: deliver }\nwarmup: 5s\nmeasure: "
                        + seconds + "s\n");
        Door.Running run = door.start("run", "--live", file.toString());
        try {
            run.awaitErr("live page: ", "measure, about");
            Matcher url = URL.matcher(Files.readString(run.err()));
            if (!url.find()) {
                throw new AssertionError("no address");
            }
            TimeUnit.SECONDS.sleep(turn);
            double open = 0;
            double closed = 0;
            long bytes = 0;
            for (int i = 0; i < turns; i++) {
                tab.go(url.group(1));
                tab.await("document.querySelectorAll('canvas').length > 5", Duration.ofSeconds(30));
                long before = tab.received();
                open += share(run.process(), turn);
                bytes += tab.received() - before;
                tab.go("about:blank");
                closed += share(run.process(), turn);
            }
            row("CPU of the conductor, page closed", "%.1f %% of a core", closed / turns);
            row("CPU of the conductor, page open", "%.1f %% of a core", open / turns);
            row("page open", "%.1f kB/s", bytes / 1e3 / turns / turn);
        } finally {
            run.signal("INT");
            run.end();
        }
    }

    /** Returns the share of a core that a process uses in one turn, in percent. */
    private static double share(Process process, int seconds) throws IOException, InterruptedException {
        double before = ticks(process);
        TimeUnit.SECONDS.sleep(seconds);
        return (ticks(process) - before) / TICKS / seconds * 100;
    }

    private static double ticks(Process process) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
        return Double.parseDouble(fields.get(11)) + Double.parseDouble(fields.get(12));
    }
}

package weir.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.results.WindowRow;
import weir.results.WindowRow.Spread;

/** Figures of a trial over its seconds. The same id is the same chart in every trial, on the same scale. */
record TimeChart(String id, String title, String note, String unit, boolean log, List<Line> lines) {
    public TimeChart {
        lines = List.copyOf(lines);
    }

    /** The colours of each kind of process; whatever else there is has one of its own. */
    private static final Map<String, List<String>> COLOURS =
            Map.of("generator", List.of("c4"), "conductor", List.of("c5"), "broker", List.of("c1", "c6", "c3", "c7"));

    private static final List<String> STROKES = List.of("solid", "dashed", "dotted");

    /** One line of it: a value for each second. */
    public static final class Line {
        private final String name;
        private final String look;
        private final double[] values;

        Line(String name, String look, double[] values) {
            this.name = name;
            this.look = look;
            this.values = values;
        }

        public String name() {
            return name;
        }

        public String look() {
            return look;
        }

        public double[] values() {
            return values;
        }
    }

    /** All charts that a trial has figures for. */
    public static List<TimeChart> of(TrialClock clock, int cores) {
        List<TimeChart> charts = new ArrayList<>();
        charts.add(new TimeChart(
                "latency",
                "Latency",
                "Response is acked − due. Each value is that of one second.",
                "ms",
                true,
                latencies(clock)));
        charts.add(new TimeChart("rates", "Rates", "", "records/s", false, rates(clock)));
        double[] failed = clock.rates(WindowRow::failed);
        if (TrialClock.anything(failed)) {
            charts.add(new TimeChart(
                    "failures", "Failures", "", "records/s", false, List.of(new Line("failed", "c2 solid", failed))));
        }
        double[] lag = clock.windows(WindowRow::lag);
        if (TrialClock.anything(lag)) {
            charts.add(new TimeChart(
                    "lag",
                    "Lag",
                    "Records written and not yet read.",
                    "records",
                    false,
                    List.of(new Line("lag", "c4 solid", lag))));
        }
        double[] open = clock.readings("open.records").get("transactions");
        if (open != null && TrialClock.anything(open)) {
            charts.add(new TimeChart(
                    "open",
                    "Behind open transactions",
                    "From the last stable offset to the end of the log: what readers of committed records must wait for.",
                    "records",
                    false,
                    List.of(new Line("open", "c4 solid", open))));
        }
        charts.add(new TimeChart("cpu", "CPU", "", "cores", false, cpu(clock, cores)));
        charts.add(new TimeChart(
                "pauses",
                "Longest pause",
                "The longest stop of a JVM in each second: garbage collection or safepoint.",
                "ms",
                false,
                pauses(clock)));
        charts.add(new TimeChart(
                "pressure",
                "Pressure",
                "Share of the time in which something waited for it (PSI of the host), and steal.",
                "%",
                false,
                pressure(clock)));
        charts.add(new TimeChart("disk", "Disk", "", "MiB/s", false, disk(clock)));
        charts.removeIf(chart -> chart.lines().isEmpty());
        return charts;
    }

    private static List<Line> latencies(TrialClock clock) {
        List<Line> lines = new ArrayList<>();
        add(
                lines,
                "response p50",
                "c6 solid",
                clock.windows(row -> row.response().p50()));
        add(
                lines,
                "response p99",
                "c1 solid",
                clock.windows(row -> row.response().p99()));
        add(
                lines,
                "response max",
                "c2 solid",
                clock.windows(row -> row.response().max()));
        add(lines, "e2e p99", "c3 dashed", clock.windows(row -> row.e2e().p99()));
        add(lines, "late p99 (ours)", "c4 dotted", clock.windows(row -> spread(row.late())));
        return lines;
    }

    private static double spread(Spread late) {
        return late.p99() > 0 ? late.p99() : Double.NaN;
    }

    private static List<Line> rates(TrialClock clock) {
        List<Line> lines = new ArrayList<>();
        add(lines, "offered", "c8 dashed", clock.rates(WindowRow::due));
        add(lines, "sent", "c4 dotted", clock.rates(WindowRow::sent));
        add(lines, "acked", "c1 solid", clock.rates(WindowRow::acked));
        double[] received = clock.rates(WindowRow::received);
        if (TrialClock.anything(received)) {
            add(lines, "received", "c3 dashed", received);
        }
        return lines;
    }

    private static List<Line> cpu(TrialClock clock, int cores) {
        List<Line> lines = new ArrayList<>();
        double[] host = clock.readings("cpu.busy.percent").get("host");
        if (host != null) {
            add(lines, "host", "c8 dashed", TrialClock.times(host, cores / 100.0));
        }
        processes(lines, clock.readings("cpu.cores"));
        return lines;
    }

    private static List<Line> pauses(TrialClock clock) {
        SortedMap<String, double[]> longest = new TreeMap<>(clock.readings("gc.pause.longest.ms"));
        clock.readings("safepoint.longest.ms")
                .forEach((source, values) -> longest.merge(source, values, TrialClock::max));
        List<Line> lines = new ArrayList<>();
        processes(lines, longest);
        return lines;
    }

    /** The generator is orange everywhere, the conductor purple, the brokers have the colours that are left. */
    private static void processes(List<Line> lines, Map<String, double[]> readings) {
        Map<String, Integer> seen = new HashMap<>();
        for (Map.Entry<String, double[]> entry : new TreeMap<>(readings).entrySet()) {
            String kind = entry.getKey().replaceFirst("-.*", "");
            List<String> colours = COLOURS.getOrDefault(kind, List.of("c2"));
            if (!kind.equals("host")) {
                int number = seen.merge(kind, 1, Integer::sum) - 1;
                String colour = colours.get(number % colours.size());
                String stroke = STROKES.get(number / colours.size() % STROKES.size());
                add(lines, entry.getKey(), colour + " " + stroke, entry.getValue());
            }
        }
    }

    private static List<Line> pressure(TrialClock clock) {
        List<Line> lines = new ArrayList<>();
        for (String[] kind : new String[][] {
            {"psi.cpu.some.percent", "cpu", "c1 solid"},
            {"psi.io.some.percent", "io", "c3 solid"},
            {"psi.memory.some.percent", "memory", "c5 solid"},
            {"cpu.steal.percent", "steal", "c2 dashed"}
        }) {
            double[] values = clock.readings(kind[0]).get("host");
            if (values != null) {
                add(lines, kind[1], kind[2], values);
            }
        }
        return lines;
    }

    private static List<Line> disk(TrialClock clock) {
        List<Line> lines = new ArrayList<>();
        double[] written = clock.readings("disk.write.mib.per.s").get("host");
        double[] read = clock.readings("disk.read.mib.per.s").get("host");
        if (written != null) {
            add(lines, "written", "c1 solid", written);
        }
        if (read != null) {
            add(lines, "read", "c3 solid", read);
        }
        return lines;
    }

    // A line of nothing but zeros is kept: "no pressure" is an answer. One of nothing at all is not drawn.
    private static void add(List<Line> lines, String name, String look, double[] values) {
        for (double value : values) {
            if (!Double.isNaN(value)) {
                lines.add(new Line(name, look, values));
                return;
            }
        }
    }

    /** True when several seconds together are as bad as the worst of them, and not as their mean. */
    public boolean worst() {
        return log || id.equals("pauses") || id.equals("lag");
    }

    public double highest() {
        return values().filter(value -> !Double.isNaN(value)).max().orElse(1);
    }

    public double lowest() {
        return values().filter(value -> value > 0).min().orElse(0.1);
    }

    private java.util.stream.DoubleStream values() {
        return lines.stream().flatMapToDouble(line -> java.util.Arrays.stream(line.values()));
    }
}

package weir.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import weir.judge.trial.HostFigures;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.results.value.HostFacts;
import weir.results.value.NumberFormat;

/** The machines that carried a load together: what each of them sent, and what weakens it. */
final class HostSection {
    private static final int MOST_ROWS = 6;
    private static final List<String> FIGURES = List.of(
            "runs",
            "load, mean",
            "share of load",
            "CPU busy",
            "stolen",
            "waiting for a CPU",
            "late p99",
            "clock error");
    private static final double GIB = 1 << 30;

    private HostSection() {}

    static boolean any(RunView run) {
        return !run.machine().hosts().isEmpty();
    }

    static Html html(RunView run) {
        Html html = new Html();
        html.element(
                "p",
                "Stolen is CPU time that other machines took, waiting the time in which something waited for a CPU; late is"
                        + " that of the latest worker there, and the clock error how far its clock may have been from that of"
                        + " this machine.",
                "class",
                "note");
        List<String> columns = new ArrayList<>(List.of("trial", "host"));
        columns.addAll(FIGURES);
        Table table = new Table(2, columns);
        for (TrialView trial : run.trials()) {
            for (HostFigures host : HostFigures.of(trial.folder(), trial.result(), trial::readings)) {
                List<String> cells =
                        new ArrayList<>(List.of(trial.label(), host.host().name()));
                cells.addAll(cells(host));
                table.row(cells);
            }
        }
        Table machines = new Table(4, "host", "machine", "system", "Java", "processors", "installed memory");
        for (HostFacts host : run.machine().hosts()) {
            machines.row(
                    host.name(),
                    host.machine(),
                    host.system(),
                    host.java(),
                    String.valueOf(host.processors()),
                    host.memoryBytes() == 0
                            ? NumberFormat.MISSING
                            : NumberFormat.number(host.memoryBytes() / GIB) + " GiB");
        }
        return html.add(table.html("t-hosts", "Hosts in each trial")).add(machines.html("t-machines", "The machines"));
    }

    /** The trial in the middle of each variant. */
    static void lines(RunView run, TextLines lines) {
        for (String variant : run.variants()) {
            TrialView trial = run.median(variant);
            List<HostFigures> hosts = HostFigures.of(
                    trial.folder(), trial.result(), () -> trial.folder().readings(HostFigures::isPart));
            if (!hosts.isEmpty()) {
                List<List<String>> rows = new ArrayList<>();
                List<String> head = new ArrayList<>(List.of(run.variants().size() > 1 ? "hosts, " + variant : "hosts"));
                head.addAll(FIGURES);
                rows.add(head);
                for (HostFigures host : hosts) {
                    List<String> row = new ArrayList<>(List.of(host.host().name()));
                    row.addAll(cells(host));
                    rows.add(row);
                }
                lines.table(rows, MOST_ROWS);
            }
        }
    }

    private static List<String> cells(HostFigures host) {
        boolean loads = !host.host().workers().isEmpty();
        return List.of(
                runs(host.host()),
                loads ? NumberFormat.rate(host.perSecond()) : NumberFormat.MISSING,
                loads && host.share() != null ? percent(100 * host.share()) : NumberFormat.MISSING,
                percent(host.busy()),
                percent(host.stolen()),
                percent(host.waiting()),
                NumberFormat.millis(host.late()),
                host.clockError() == null ? NumberFormat.MISSING : "± " + NumberFormat.millis(host.clockError()));
    }

    private static String runs(HostFacts host) {
        List<String> runs = new ArrayList<>();
        if (!host.workers().isEmpty()) {
            runs.add(counted(host.workers().size(), "worker"));
        }
        if (!host.brokers().isEmpty()) {
            runs.add(counted(host.brokers().size(), "broker"));
        }
        runs.addAll(host.others());
        return runs.isEmpty() ? NumberFormat.MISSING : String.join(", ", runs);
    }

    private static String counted(int many, String what) {
        return many + " " + what + (many == 1 ? "" : "s");
    }

    private static String percent(@Nullable Double percent) {
        return percent == null ? NumberFormat.MISSING : String.format(Locale.ROOT, "%.1f %%", percent);
    }
}

package weir.cli;

import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import picocli.CommandLine;
import weir.cli.runs.HistoryOptions;
import weir.cli.terminal.Browser;
import weir.cli.terminal.LineOutput;
import weir.cli.terminal.LiveDisplay;
import weir.cli.terminal.RunProgress;
import weir.cli.watch.RunWatches;
import weir.cli.watch.WatchOptions;
import weir.plan.Experiment;
import weir.plan.syntax.ShellWord;
import weir.report.HtmlReport;
import weir.report.TextReport;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.Unwritable;
import weir.run.Exit;
import weir.run.RunOptions;
import weir.run.Runner;
import weir.run.lab.Lab;
import weir.run.lab.ProcessLab;
import weir.time.MachineClock;

/** Runs an experiment for a user: tells how it goes, hears Ctrl-C, and hands over the report. */
record RunLauncher(
        CommandLine command,
        FormatOption format,
        OutputOptions outputs,
        WatchOptions watching,
        boolean opens,
        HistoryOptions history) {
    int conduct(Experiment experiment, RunOptions options) {
        return conduct(experiment, options, ProcessLab::open);
    }

    int conduct(Experiment experiment, RunOptions options, Lab.Opener labs) {
        try (RunWatches watches = watching.open(command, opens)) {
            RunResult result;
            int exit;
            ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread thread = new Thread(task, "weir-clock");
                thread.setDaemon(true);
                return thread;
            });
            try (RunProgress progress =
                    new RunProgress(LineOutput.on(command.getErr()), MachineClock.STEADY, LiveDisplay::typed)) {
                var unused = clock.scheduleAtFixedRate(progress::tick, 1, 1, TimeUnit.SECONDS);
                Runner runner = new Runner(experiment, options, watches.heardBy(progress), labs);
                watches.stopBy(runner::interrupt);
                try (SignalHandler interrupts = new SignalHandler(runner::interrupt)) {
                    result = runner.run();
                    exit = interrupts.exit(result.exit());
                }
            } finally {
                clock.shutdown();
            }
            RunFolder folder = RunFolder.open(Path.of(result.run()));
            int shown = show(folder, () -> result, exit);
            watches.over(folder);
            return shown;
        }
    }

    /** Hands over what a run has found; returns its exit code, which is our fault where all is fine but nothing was kept. */
    int show(RunFolder folder, Supplier<RunResult> result, int exit) {
        Path report = report(folder);
        PrintWriter out = command.getOut();
        if (format.json()) {
            out.println(result.get().toJson());
        } else {
            out.println(TextReport.of(folder).stripTrailing());
            // The page that showed the run is its report by now.
            if (opens && !watching.asked() && LiveDisplay.columns() > 0 && Browser.there(System.getenv())) {
                var unused = Browser.open(report, System.getenv());
            }
        }
        // Last: whatever keeps it from being written, the answer is told.
        boolean kept = written(new RunOutput(folder, result, report)) && history.keep(folder, command.getErr());
        return kept || exit != Exit.FINE.code() ? exit : Exit.OUR_FAULT.code();
    }

    private boolean written(RunOutput output) {
        try {
            outputs.write(output, command, format);
            return true;
        } catch (UncheckedIOException e) {
            command.getErr()
                    .println(e.getMessage() + ": " + Unwritable.reason(e).orElseThrow(() -> e));
            return false;
        }
    }

    /** A disk that is full keeps the page from being written, and nobody from being told the answer. */
    private Path report(RunFolder folder) {
        try {
            return HtmlReport.write(folder);
        } catch (UncheckedIOException e) {
            String why = Unwritable.reason(e).orElseThrow(() -> e);
            command.getErr()
                    .println("the report could not be written: " + why + "; once there is room: weir report "
                            + ShellWord.of(folder.path().toString()));
            return folder.report();
        }
    }
}

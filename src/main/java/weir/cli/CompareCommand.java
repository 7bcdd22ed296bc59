package weir.cli;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;
import weir.judge.RunComparisons;
import weir.plan.syntax.Units;
import weir.report.CompareReport;
import weir.report.export.CheckExport;
import weir.results.ResultJson;
import weir.results.RunComparison;
import weir.results.RunFolder;

@Command(
        name = "compare",
        header = "Compare stored runs with the first of them.",
        footer = "Example: weir compare hello~1 hello --tolerance 5%%",
        description = {
            "Lists the differences in machine, Kafka and configuration. Then lists the difference of each figure, with"
                    + " its interval.",
            "Rejects runs that differ in workload, load, release family, topology, machine or method. With --anyway,"
                    + " the figures of such runs have no ratio, and a gate exits with 4.",
            "With --tolerance, the command is a gate. The exit code is 98 if a figure is worse by more than the"
                    + " tolerance. The exit code is 4 if the runs are too few, too short or too noisy to decide."
        })
final class CompareCommand extends FormattedCommand implements Gate {
    @Mixin
    private RunsFolderOption runs = new RunsFolderOption();

    @Mixin
    private OutputOptions outputs = new OutputOptions();

    @Option(
            names = "--tolerance",
            paramLabel = "PERCENT",
            converter = Percent.class,
            description = "Largest loss of a figure that the gate accepts, such as 5%%.")
    private double tolerance = Double.NaN;

    @Option(names = "--strict", description = "Also exit with 4 if a run is suspect or unfinished.")
    private boolean strict;

    @Option(names = "--anyway", description = "Show the figures of runs with different comparison keys.")
    private boolean anyway;

    @Parameters(
            paramLabel = "RUN",
            arity = "2..*",
            description = "A run folder, a name (newest run) or name~1 (previous run). The first run is the base.")
    private List<String> names = List.of();

    static final class Percent implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            try {
                double share = Units.percent(text).share();
                if (share > 0) {
                    return share;
                }
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
            throw new TypeConversionException("'" + text + "' is too small a tolerance; write it like 2%");
        }
    }

    @Override
    public Integer call() {
        outputs.refuse(
                OutputForm.Kind.QUANTILES,
                "weir compare cannot write quantiles; run weir report RUN --quantiles DIR" + runs.typed(),
                command());
        outputs.refuse(
                OutputForm.Kind.KNATIVE,
                "weir compare cannot write knative=DIR; run weir report RUN --out knative=DIR" + runs.typed(),
                command());
        List<RunFolder> folders =
                names.stream().map(name -> RunFolder.resolve(runs.path(), name)).toList();
        RunComparison comparison = RunComparisons.of(folders, tolerance, strict, anyway);
        PrintWriter out = out();
        out.println(
                format.json()
                        ? ResultJson.write(comparison)
                        : CompareReport.text(comparison).stripTrailing());
        outputs.write(
                new OutputForm.OutputContent(
                        () -> CheckExport.of(comparison), () -> CompareReport.html(comparison, WeirVersion.number())),
                command(),
                format);
        return comparison.exit();
    }
}

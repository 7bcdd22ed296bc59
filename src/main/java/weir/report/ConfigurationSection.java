package weir.report;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import weir.measure.Canary;
import weir.plan.RecordKeys;
import weir.plan.Setting;
import weir.plan.property.Property;
import weir.report.block.Block;
import weir.report.block.Table;
import weir.results.CanaryResults;
import weir.results.PropertyDifference;
import weir.results.RequestedExperiment;
import weir.results.value.NumberFormat;

/**
 * The settings and their sources, the differences between variants, the machine, the method, and the command to repeat
 * the run.
 */
final class ConfigurationSection {
    private static final int LONGEST = 60;
    private static final int MOST = 4;
    private static final int MOST_VARIANTS = 4;
    private static final int BRIEF = 20;
    private static final int FEW = 3;

    private ConfigurationSection() {}

    static List<Block> page(RunView run) {
        List<Block> blocks = new ArrayList<>(List.of(
                facts(run, false),
                Block.more("More about the machine", facts(run, true)),
                canaries(run.folder().canaries())));
        int number = 0;
        List<Property> before = List.of();
        for (Map.Entry<String, List<Property>> entry :
                run.machine().properties().entrySet()) {
            String whose = entry.getKey().isEmpty() ? "" : " of " + entry.getKey();
            List<Property> all = merged(entry.getValue());
            String id = "t-properties-" + number++;
            blocks.add(properties(set(all)).as(id, "Properties" + whose + " that differ from Kafka's defaults"));
            // The first variant represents all variants with the same property.
            List<Property> known = before;
            List<Property> other =
                    all.stream().filter(property -> !known.contains(property)).toList();
            String which = (before.isEmpty() ? "All " + all.size() + " properties" : "Other properties") + whose;
            if (!other.isEmpty()) {
                blocks.add(Block.more(which, properties(other).as(id + "-all", which)));
            }
            before = before.isEmpty() ? all : before;
        }
        for (RequestedExperiment.Variant variant : run.asked().variants()) {
            if (!variant.settings().isEmpty()) {
                blocks.add(Block.more(
                        "The experiment of variant " + variant.name(),
                        Table.of(3, variant.settings())
                                .column("setting", Setting::path)
                                .column("value", Setting::value)
                                .column("from", Setting::origin)
                                .as("t-settings-" + number++, "Settings of " + variant.name())));
            }
        }
        return blocks;
    }

    private static Block facts(RunView run, boolean large) {
        return new Block.Facts(
                "facts",
                run.machine().facts().entrySet().stream()
                        .filter(fact -> fact.getKey().length() + fact.getValue().length() > LONGEST == large)
                        .map(fact -> new Block.Fact(fact.getKey(), fact.getValue(), "", ""))
                        .toList());
    }

    private record Baseline(Canary before, Optional<CanaryResults.Pair> pair) {
        String ofPair(Function<CanaryResults.Pair, String> of) {
            return pair.map(of).orElse(NumberFormat.MISSING);
        }
    }

    private static Block canaries(CanaryResults canaries) {
        List<Baseline> baselines = canaries.before().stream()
                .map(before -> new Baseline(
                        before,
                        canaries.pairs().stream()
                                .filter(both -> both.before().equals(before))
                                .findFirst()))
                .toList();
        return baselines.isEmpty()
                ? Block.note("No machine baseline was measured before this run.")
                : Table.of(1, baselines)
                        .column("machine benchmark", one -> one.before.name())
                        .column("before", one -> figure(one.before))
                        .column("after", one -> one.ofPair(both -> figure(both.after())))
                        .column(
                                "change",
                                one -> one.ofPair(
                                        both -> percent("%+.0f %%", both.after().median() / one.before.median() - 1)))
                        .column("counts from", one -> percent("%.0f %%", one.before.least()))
                        .column(
                                "the machine is",
                                one -> one.ofPair(CanaryResults.Pair::verdict),
                                one -> one.pair.map(CanaryResults.Pair::drifted).orElse(false) ? "warn" : "")
                        .as(
                                "t-canaries",
                                "Machine benchmarks before the first trial and after the last, without a cluster:"
                                        + " median of the rounds ± half of its 95 % interval");
    }

    private static String figure(Canary canary) {
        return NumberFormat.number(canary.median()) + " " + canary.unit() + " ± " + percent("%.0f %%", canary.noise());
    }

    private static String percent(String format, double share) {
        return String.format(Locale.ROOT, format, share * 100);
    }

    private static Table properties(List<Property> properties) {
        return Table.of(7, properties)
                .column("of", Property::of)
                .column("property", Property::name)
                .column("effective", property -> shown(property.effective()))
                .column("requested", property -> shown(property.requested()))
                .column("default", property -> shown(property.byDefault()))
                .column("set by", property -> property.source().name().toLowerCase(Locale.ROOT))
                .column("remark", Property::remark)
                .table();
    }

    private static String shown(String value) {
        return value.isEmpty() ? NumberFormat.MISSING : value;
    }

    static List<Block> differences(RunView run) {
        if (run.variants().size() < 2) {
            return List.of();
        }
        List<String> variants = run.variants();
        SortedMap<String, List<String>> settings = PropertyDifference.differing(variants.stream()
                .map(variant -> run.median(variant).result().settings())
                .toList());
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                settings.isEmpty()
                        ? Block.text("The variants have the same settings: all differences between them are noise.")
                        : Table.of(1 + variants.size(), settings.entrySet())
                                .column("setting", Map.Entry::getKey)
                                .columns(variants, Map.Entry::getValue)
                                .as("differences", "Settings that differ between the variants"));
        List<PropertyDifference> differences = propertyDifferences(run);
        if (!differences.isEmpty()) {
            blocks.add(Table.of(3 + variants.size(), differences)
                    .column("of", PropertyDifference::of)
                    .column("property", PropertyDifference::name)
                    .columns(variants, PropertyDifference::values)
                    .column("set explicitly", difference -> difference.declared() ? "yes" : "no")
                    .as("effective", "Effective properties that differ between the variants"));
        }
        return blocks;
    }

    static List<Block> method(RunView run) {
        String tool = run.machine().tool();
        if (!tool.isEmpty()) {
            return List.of(
                    Block.text(tool + " measured this run. The figures are those of its result, which the run folder"
                            + " contains (source-1 and so on). Weir cannot compute them again. Figures that the result"
                            + " does not contain are unknown."));
        }
        return List.of(
                Block.text("Percentiles come from merged histograms, never from other percentiles. A record belongs to"
                        + " the step in which it was due. The counts of a second are its acks, reads and failures,"
                        + " whenever the records were due. In a closed loop (rate: max, or a fixed number at a time) a"
                        + " record is due when it is sent, so response equals service. A failed record counts in"
                        + " response with at least the client's delivery timeout, so failures never improve a"
                        + " percentile. All times come from the monotonic clock of one host. Weir does not sample: it"
                        + " times and counts every record."));
    }

    static List<Block> reproduce(RunView run) {
        List<Block.Text> files = new ArrayList<>();
        run.folder().files().forEach(file -> files.add(link(Block.styled(""), run, file)));
        for (TrialView trial : run.trials()) {
            Block.Text entry = Block.text(trial.label() + ": ");
            for (Path file : trial.folder().files()) {
                entry = link(entry, run, file).with(Block.Mark.PLAIN, " ");
            }
            files.add(entry);
        }
        return List.of(
                Block.text("In the folder of the experiment, with Weir "
                        + run.asked().weir() + ":"),
                Block.styled("command").with(Block.Mark.CODE, run.asked().command(), "command"),
                Block.more(
                        "experiment.yaml",
                        Block.styled("").with(Block.Mark.CODE, run.folder().experimentYaml())),
                Block.text("'weir report' writes this report again from the files in the run folder:"),
                Block.list("files", files));
    }

    private static Block.Text link(Block.Text text, RunView run, Path file) {
        String path = run.folder().path().relativize(file).toString();
        return text.with(Block.Mark.LINK, String.valueOf(file.getFileName()), relative(path));
    }

    /** Returns a relative link to a path below the report, even if the path looks like an address of another site. */
    static String relative(String path) {
        StringBuilder address = new StringBuilder("./");
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain = c < 0x80 && (Character.isLetterOrDigit(c) || "-._~/".indexOf(c) >= 0);
            address.append(plain ? String.valueOf(c) : String.format(Locale.ROOT, "%%%02X", (int) c));
        }
        return address.toString();
    }

    private static List<Property> merged(List<Property> properties) {
        Map<Property, Integer> times = new LinkedHashMap<>();
        for (Property property : properties) {
            times.merge(of(property, "brokers"), 1, Integer::sum);
        }
        long brokers = properties.stream()
                .map(Property::of)
                .filter(of -> of.startsWith("broker "))
                .distinct()
                .count();
        Set<Property> merged = new LinkedHashSet<>();
        for (Property property : properties) {
            Property any = of(property, "brokers");
            boolean all = property.of().startsWith("broker ") && times.getOrDefault(any, 0) == brokers && brokers > 1;
            merged.add(all ? any : property);
        }
        return List.copyOf(merged);
    }

    private static Property of(Property property, String of) {
        return property.of().startsWith("broker ") ? RecordKeys.with(property, Map.of("of", of)) : property;
    }

    private static List<Property> set(List<Property> merged) {
        return merged.stream()
                .filter(property -> property.source() != Property.Source.DEFAULT)
                .sorted(Comparator.comparing(Property::source).reversed())
                .toList();
    }

    private static List<PropertyDifference> propertyDifferences(RunView run) {
        return PropertyDifference.between(run.asked(), run.machine(), run.variants()).stream()
                .sorted(Comparator.comparing(PropertyDifference::declared))
                .toList();
    }

    static List<Block> brief(RunView run) {
        Table table = run.variants().size() > 1 ? briefDifferences(run) : briefSet(run);
        return table.empty() ? List.of() : List.of(Block.GAP, table.most(MOST));
    }

    private static Table briefDifferences(RunView run) {
        List<String> variants = run.variants();
        boolean columns = variants.size() <= MOST_VARIANTS;
        return Table.of(1, propertyDifferences(run))
                .column("differs", difference -> difference.of() + " " + difference.name())
                .columns(columns ? variants : List.of(""), difference -> {
                    List<String> values = TextLines.apart(difference.values(), BRIEF);
                    return columns ? values : List.of(grouped(values, variants));
                })
                .column("set explicitly", difference -> difference.declared() ? "yes" : "no")
                .table();
    }

    /** Lists each value with its variants if a column for each variant would not fit: 0 (a, b), 5 (4 variants). */
    static String grouped(List<String> values, List<String> variants) {
        Map<String, List<String>> having = new LinkedHashMap<>();
        for (int i = 0; i < variants.size(); i++) {
            having.computeIfAbsent(values.get(i), value -> new ArrayList<>()).add(variants.get(i));
        }
        List<String> groups = having.entrySet().stream()
                .limit(MOST_VARIANTS)
                .map(each -> each.getKey() + " ("
                        + (each.getValue().size() > FEW
                                ? each.getValue().size() + " variants"
                                : String.join(", ", each.getValue()))
                        + ")")
                .toList();
        int more = having.size() - groups.size();
        return String.join(", ", groups) + (more > 0 ? " and " + more + " more values" : "");
    }

    private static Table briefSet(RunView run) {
        List<Property> asked = run.variants().stream()
                .flatMap(variant -> set(merged(run.machine().properties().getOrDefault(variant, List.of()))).stream())
                .filter(property ->
                        property.source() == Property.Source.YOURS || property.source() == Property.Source.OVERRIDDEN)
                .toList();
        return Table.of(1, asked)
                .column("property", property -> property.of() + " " + property.name())
                .column("effective", property -> NumberFormat.cut(property.effective(), BRIEF))
                .column("default", property -> NumberFormat.cut(property.byDefault(), BRIEF))
                .column("set by", property -> property.source().name().toLowerCase(Locale.ROOT))
                .table();
    }
}

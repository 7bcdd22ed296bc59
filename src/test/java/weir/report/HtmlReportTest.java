package weir.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.NeedsFeature;
import weir.measure.ProbeMetric;
import weir.measure.ProbeMetric.MetricChart;
import weir.plan.Golden;
import weir.plan.explain.KeyExplanation;
import weir.results.RunFolder;

class HtmlReportTest {
    /** Names that would be markup, end an element, or change the reading direction if the page did not escape them. */
    private static final List<String> HOSTILE =
            List.of("<script>alert(1)</script>", "]]>--><img src=x onerror=alert(1)>", "\u202Egnp.\u2066\"'&");

    @TempDir
    Path dir;

    /** The run that no test changes, written and shown once. */
    private static RunFolder small;

    private static String smallHtml;
    private static RunFolder curve;
    private static String curveHtml;

    @BeforeAll
    static void show(@TempDir Path shared) {
        small = small(shared, List.of("a")).write();
        smallHtml = HtmlReport.of(small);
        curve = SyntheticRun.loadCurve(shared.resolve("curve")).write();
        curveHtml = HtmlReport.of(curve);
    }

    @Test
    void tileMarksAThinPercentile() {
        assertThat(HtmlReport.of(new SyntheticRun(dir, List.of("a"), 1, new double[] {1_000}, 3).write()))
                .contains("thin, at 1,000/s");
        assertThat(smallHtml).contains("at 10,000/s").doesNotContain("thin, at");
    }

    private static SyntheticRun small(Path root, List<String> variants) {
        return new SyntheticRun(root, variants, 1, new double[] {10_000, 60_000}, 3);
    }

    private SyntheticRun small(List<String> variants) {
        return small(dir, variants);
    }

    @Test
    @NeedsFeature
    void reportTextMatchesTheGoldenFile() {
        Golden.assertSame("src/test/resources/weir/report/load-curve.txt", outline(curveHtml));
    }

    @Test
    void nothingIsFetchedAndOnlyOurOwnCodeMayRun() throws Exception {
        String html = smallHtml;
        String policy = find("Content-Security-Policy\" content=\"([^\"]*)\"", html);
        assertThat(policy).startsWith("default-src &#39;none&#39;").doesNotContain("http", "unsafe");
        assertThat(policy).contains(hash(find("(?s)<style>(.*?)</style>", html)));
        assertThat(policy).contains(hash(find("(?s)<script>(.*?)</script>", html)));
        assertThat(html).doesNotContainPattern("(src|href)=\"(https?:)?//").doesNotContainPattern(" style=| on[a-z]+=");
    }

    @Test
    void namesFromOutsideAreOnlyEverText() {
        SyntheticRun run = small(HOSTILE);
        String html = HtmlReport.of(run.write());
        List<String> asLong =
                HOSTILE.stream().map(name -> "x".repeat(name.length())).toList();
        String plain = HtmlReport.of(new SyntheticRun(dir, asLong, 1, new double[] {10_000, 60_000}, 3).write());
        assertThat(html)
                .doesNotContain("<img")
                .doesNotContain("\u202E", "\u2066")
                .contains("&lt;script&gt;alert(1)");
        assertThat(elements(html)).isEqualTo(elements(plain));
        assertThat(find("(?s)id=\"data\">(.*?)</script>", html)).doesNotContain("<", ">");
    }

    @Test
    void secondsWithoutAFigureAreGaps() {
        TrialView pass = TrialView.of(curve.trials().get(2), Set.of());
        double[] acked = new TrialClock(pass).rates(row -> row.acked());
        assertThat(acked[29]).isPositive();
        assertThat(acked[30]).isNaN();
        assertThat(curveHtml).contains("20000,30000,null,null,null,30000");
    }

    @Test
    void routineEventsOfRestsAreNotMarkedOnTheTimeAxis() throws Exception {
        RunFolder folder = small(List.of("a")).write();
        Path events = folder.trials().get(0).path().resolve("events.csv");
        Files.writeString(events, "3,flush,\n3.1,collect,\n3.2,client,gone\n", StandardOpenOption.APPEND);
        assertThat(find("(?s)id=\"data\">(.*?)</script>", HtmlReport.of(folder)))
                .contains("\"marks\":[[3.2,\"client\"]]");
    }

    @Test
    void paceChartMarksTheBreakingPoint() {
        assertThat(section("pace", curveHtml))
                .contains(
                        "breaks at ", "10,000/s ✓", " ✕", "band fate sustained", "band fate broken", "id=\"t-pace-0\"")
                .contains("response p99", "e2e p99", "sent/s", "received/s", "failed/s", "lost/s");
        String one = HtmlReport.of(new SyntheticRun(dir, List.of("one"), 1, new double[] {10_000}, 3).write());
        assertThat(one).doesNotContain("<section id=\"pace\"");
    }

    /** The variants break at different rates and have different latencies. Their charts have one scale. */
    @Test
    void pacesOfAllVariantsAreDrawnOnOneScale() {
        String pace = section("pace", curveHtml);
        assertThat(pace).contains("All charts have the same scales.");
        List<String> axes = Pattern.compile("(?s)<svg(.*?)</svg>")
                .matcher(pace)
                .results()
                .map(svg -> Pattern.compile("(?s)<g class=\"grid\">(.*?)</g>")
                        .matcher(svg.group(1))
                        .results()
                        .map(grid -> grid.group(1))
                        .toList()
                        .toString())
                .toList();
        assertThat(axes).hasSize(2);
        assertThat(axes.get(0)).isEqualTo(axes.get(1)).contains("60,000");
        assertThat(section("pace", smallHtml)).doesNotContain("same scales");
    }

    /** Three seconds at 10,000/s are too few for p99.99; three at 60,000/s are enough. */
    @Test
    void chartMarksPercentilesOfStepsWithFewSamples() {
        String pace = section("pace", smallHtml);
        assertThat(pace)
                .contains("line level c1 thin", "line level c3 thin", "line level c1\"", "line level c3\"")
                .contains("<title>response p99.99 of 10,000/s: ")
                .contains("response p99.99 of each step", "e2e p99.99 of each step");
        assertThat(find("(?s)<table id=\"t-pace-0\">(.*?)</table>", pace)).contains("(thin)");
    }

    @Test
    void trialTableShowsTheSpreadOfEachVariant() {
        String trials = find("(?s)<table id=\"t-trials\">(.*?)</table>", curveHtml);
        assertThat(trials).contains("none 1", "none 2", "none, spread", "lz4, spread", "10,000/s");
        double[] p99 = curve.trials().stream()
                .filter(trial -> trial.started().variant().equals("lz4"))
                .map(trial -> trial.result().steps().get(0).figures().response().p99())
                .mapToDouble(Objects::requireNonNull)
                .sorted()
                .toArray();
        assertThat(trials)
                .contains(
                        String.format(Locale.ROOT, "%.2f \u2013 %.2f ms, %.2f\u00d7", p99[0], p99[1], p99[1] / p99[0]));
        assertThat(smallHtml).doesNotContain("<section id=\"trials\"");
    }

    @Test
    @NeedsFeature("delivery")
    void hopTableIsShownForEachPath() {
        SyntheticRun run = new SyntheticRun(dir, List.of("direct", "kafka-channel"), 1, new double[] {10_000}, 3);
        RunFolder folder = run.delivered().write();
        String html = HtmlReport.of(folder);
        String hops = section("hops", html);
        assertThat(find("(?s)<table id=\"t-hops-1\">(.*?)</table>", hops))
                .contains("before sending", "\u2192 channel", "channel: waiting", "14.0 ms", "\u2192 receiver")
                .contains(">100 %<");
        // Those of the first trial are 1.5 ms too long.
        assertThat(Pattern.compile("the parts did not all measure the same events")
                        .matcher(hops)
                        .results()
                        .count())
                .isEqualTo(1);
        String cost = find("(?s)<table id=\"t-cpu\">(.*?)</table>", html);
        assertThat(cost).contains("80 \u00b5s", "61 \u00b5s", "141 \u00b5s", "9,216 B");
        assertThat(find("(?s)<ul class=\"details\">(.*?)</ul>", html))
                .contains("\u201cdirect\u201d at 10,000/s: response p99 ", "141 \u00b5s of CPU a record");
        String text = TextReport.of(folder).replaceAll("\\s+", " ");
        assertThat(text)
                .contains("channel: waiting 2.00 ms, \u2192 receiver")
                .contains("kafka-channel 10,000/s", "141 \u00b5s 0 0");
        assertThat(smallHtml).doesNotContain("<section id=\"hops\"", "<section id=\"cpu\"");
    }

    /** The hops are those of such systems, but the page names no product. */
    @Test
    void deliveryPathsAreNotNamedAfterAProduct() {
        RunFolder folder = small(List.of("kafka-broker")).delivered().write();
        assertThat(HtmlReport.of(folder).replaceAll("(?s)<section id=\"glossary\".*?</section>", ""))
                .doesNotContainIgnoringCase("knative");
        assertThat(TextReport.of(folder)).doesNotContainIgnoringCase("knative");
    }

    private static String section(String id, String html) {
        return find("(?s)<section id=\"" + id + "\"(.*?)</section>", html);
    }

    @Test
    void reportOfAKilledRunStatesIt() {
        String html = HtmlReport.of(SyntheticRun.loadCurve(dir, 3).killed().write());
        assertThat(html).contains("class=\"badge unfinished\"", "none 2 (unfinished)", "has no closed ledger");
        assertThat(html).contains("the trial did not finish. The trial has no ledger");
        assertThat(html).contains("windows.csv.part");
    }

    @Test
    void secondsWithoutAFigureBetweenOthersAreExplained() {
        String why = "A second without a figure is a gap in a line";
        assertThat(curveHtml).contains(why);
        assertThat(smallHtml).doesNotContain(why);
    }

    @Test
    void chartsOfALongTrialStateTheirDownsampling() {
        assertThat(smallHtml)
                .doesNotContain(
                        "the chart shows only the seconds with the lowest and the highest value, so every peak is"
                                + " visible. windows.csv has every second.");
        RunFolder hour = new SyntheticRun(dir, List.of("a"), 1, new double[] {10_000}, 1_200).write();
        assertThat(HtmlReport.of(hour))
                .contains(
                        "For each 3 s (on paper or without scripts, for each 6 s) the chart shows only the seconds with"
                                + " the lowest and the highest value");
    }

    @Test
    void heatmapCountsEveryMessage() {
        String html = smallHtml;
        assertThat(html).contains("Distribution of the latencies, trial a 1", "class=\"heat h2\"");
        String table = find("(?s)<table id=\"t-heat-0\">(.*?)</table>", html);
        long messages = Pattern.compile("<td class=\"figure\">([0-9,]+)</td>")
                .matcher(table)
                .results()
                .mapToLong(cell -> Long.parseLong(cell.group(1).replace(",", "")))
                .sum();
        long logged = small.trials().get(0).latencies().entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("response@"))
                .mapToLong(entry -> entry.getValue().count())
                .sum();
        assertThat(messages).isEqualTo(logged).isPositive();
    }

    @Test
    void thousandsOfEventsDoNotFillTheReport() throws Exception {
        RunFolder folder = small(List.of("a")).write();
        Path events = folder.trials().get(0).path().resolve("events.csv");
        Files.writeString(events, "3,client,the broker went away\n".repeat(20_000), StandardOpenOption.APPEND);
        assertThat(HtmlReport.of(folder))
                .hasSizeLessThan(600_000)
                .contains("Phases, steps and events, the first 600; events.csv has all");
    }

    @Test
    void theFiguresBelowTheHeadlineAnswerTheQuestion() {
        RunFolder run = new SyntheticRun(dir, List.of("small", "big"), 4, new double[] {30_000}, 3).write();
        String html = HtmlReport.of(run);
        String tiles = find("(?s)<dl class=\"tiles answers\">(.*?)</dl>", html);
        assertThat(tiles)
                .contains("<dt>big / small, response p99</dt>", "×</dd>", ", better</dd>")
                .contains(
                        "<dt>expectations</dt><dd class=\"value\">1 of 3 passed</dd>",
                        "failed: response p99 &lt; 50ms");
    }

    @Test
    void conductorGeneratorAndBrokersHaveColoursOfTheirOwn() throws Exception {
        RunFolder run = small(List.of("a")).withEveryProbe().write();
        Path readings = run.path().resolve("trials/01-a-1/probes.csv");
        Files.writeString(
                readings,
                "3,conductor,cpu.cores,0.1\n3,generator-1,cpu.cores,0.1\n3,generator-2,cpu.cores,0.1\n",
                StandardOpenOption.APPEND);
        String html = HtmlReport.of(RunFolder.open(run.path()));
        String keys = find("(?s)<h3>CPU <small>.*?<p class=\"keys\">(.*?)</p>", html);
        List<String> looks = Pattern.compile("class=\"key ([a-z0-9 ]+)\"")
                .matcher(keys)
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(keys).contains("host", "conductor", "generator-2", "broker-3");
        assertThat(looks).hasSize(8).doesNotHaveDuplicates();
        assertThat(looks.stream().filter(look -> look.startsWith("c4")).count()).isEqualTo(3);
    }

    @Test
    void lowerBoundsAreMarkedInChartsAndTables() {
        RunFolder run = SyntheticRun.loadCurve(dir, 3).neverEnded().write();
        String html = HtmlReport.of(run);
        assertThat(section("load", html)).contains("class=\"atleast c1\"", ComparisonSection.AT_LEAST, ">≥ ");
        String comparison = section("comparison", html);
        assertThat(find("(?s)<table id=\"t-p99\">(.*?)</table>", comparison)).contains(">≥ ");
        assertThat(comparison).contains("class=\"atleast c1\"");
        assertThat(section("spectrum", html)).contains("A thin line is a lower bound", " bound\"");
        assertThat(find("(?s)<table id=\"t-latencies\">(.*?)</table>", html)).contains(">≥ ");
    }

    @Test
    void onlyEndToEndLatencyShowsItsClockError() {
        RunFolder run = SyntheticRun.loadCurve(dir, 3).severalClocks().write();
        assertThat(HtmlReport.of(SyntheticRun.loadCurve(dir.resolve("one"), 3).write()))
                .doesNotContain("± 0.40 ms");
        String html = HtmlReport.of(run);
        String parts = find("(?s)<table id=\"t-latencies\">(.*?)</table>", html);
        Stream.of(parts.split("<tr"))
                .filter(row -> row.contains(" ms"))
                .forEach(row -> assertThat(row.contains(" ± 0.40 ms")).isEqualTo(row.contains("e2e")));
        assertThat(section("load", html)).contains(" ± 0.40 ms");
        assertThat(TextReport.of(run)).contains(" ± 0.40 ms");
    }

    @Test
    void ratesHaveOneFormInTheReport() {
        String html = HtmlReport.of(small(List.of("a")).called("10k/s").write());
        assertThat(html.replaceAll("(?s)<(style|script).*?</\\1>", ""))
                .contains("10,000/s")
                .doesNotContain("10k/s");
    }

    @Test
    void everyWordIsALinkIntoTheGlossaryOfTheReport() {
        assertThat(curveHtml)
                .contains("<a href=\"#glossary\">Glossary</a>")
                .contains("class=\"word\" href=\"#word-response\">response p50</a>");
        List<String> targets = Pattern.compile("href=\"#(word-[^\"]*)\"")
                .matcher(curveHtml)
                .results()
                .map(found -> found.group(1))
                .distinct()
                .toList();
        assertThat(targets)
                .hasSizeGreaterThan(30)
                .allMatch(target -> curveHtml.contains("<div id=\"" + target + "\">"));
    }

    @Test
    void everySectionIsExplained() {
        assertThat(Section.all().stream().map(Section::title))
                .hasSizeGreaterThan(20)
                .allSatisfy(
                        title -> assertThat(KeyExplanation.of(title)).as(title).isNotBlank());
    }

    @Test
    void theGlossaryHasTheWordsOfThePageAndNoOthers() {
        assertThat(section("glossary", curveHtml))
                // Linked in a cell and in a sentence.
                .contains("<dt>response</dt>", "<dt>percentile</dt>", "<dt>broken</dt>")
                // Words of trends, profiles and expectations.
                .doesNotContain("<dt>changed there</dt>", "<dt>found after</dt>", "<dt>since</dt>", "<dt>level</dt>")
                .doesNotContain(
                        "<dt>beyond noise</dt>", "<dt>not distinguishable</dt>", "<dt>blind</dt>", "<dt>exit 98</dt>");
    }

    @Test
    void everyChartHasATable() {
        Matcher described = Pattern.compile("aria-describedby=\"([^\"]*)\"").matcher(curveHtml);
        int charts = 0;
        while (described.find()) {
            assertThat(curveHtml).contains("<table id=\"" + described.group(1) + "\"");
            charts++;
        }
        assertThat(charts).isGreaterThan(12);
    }

    @Test
    void aMetricIsDrawnBecauseAProbeDeclaresIt() throws Exception {
        RunFolder run = small(List.of("a")).write();
        Path readings = run.path().resolve("trials/01-a-1/probes.csv");
        Files.writeString(
                readings, "3,broker-1,moon.phase,0.25\n4,broker-2,moon.phase,0.75\n", StandardOpenOption.APPEND);
        assertThat(HtmlReport.of(run)).doesNotContain("moon", "broker-2");
        List<ProbeMetric> metrics = new ArrayList<>(run.drawn());
        String title = "Moon " + HOSTILE.get(0);
        metrics.add(
                new ProbeMetric("moon.phase", "lit", new MetricChart(title, "moons" + HOSTILE.get(1), "Seen.", false)));
        run.drawn(metrics);
        String html = HtmlReport.of(run);
        String figure = find("(?s)<h3>Moon &lt;script&gt;(.*?)</figure>", html);
        assertThat(figure)
                .contains(
                        "moons]]&gt;--&gt;&lt;img",
                        "<p>Seen.</p>",
                        "broker-1 lit",
                        "broker-2 lit",
                        "<path class=\"line")
                .contains("<td class=\"figure\">0.25");
        assertThat(find("(?s)id=\"data\">(.*?)</script>", html))
                .contains("\"title\":\"Moon \\u003cscript", "\"broker-2 lit\"")
                .doesNotContain("<");
        assertThat(html).doesNotContain("<img");
    }

    @Test
    void everyFileOfARunIsLinked() throws Exception {
        String html = HtmlReport.of(small);
        try (Stream<Path> files = Files.walk(small.path())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String address = small.path().relativize(file).toString();
                assertThat(html).contains("href=\"./" + address + "\"");
            }
        }
    }

    @Test
    void recordsBehindOpenTransactionsAreChartedIfPresent() throws Exception {
        RunFolder run = small(List.of("a")).write();
        assertThat(smallHtml).doesNotContain("Behind open transactions");
        Path readings = run.path().resolve("trials/01-a-1/probes.csv");
        Files.writeString(readings, "3,transactions,open.records,17\n", StandardOpenOption.APPEND);
        assertThat(HtmlReport.of(RunFolder.open(run.path()))).contains("Behind open transactions");
    }

    @Test
    void aGridOfOneNumberIsDrawnAlongIt() {
        RunFolder folder = new SyntheticRun(dir, List.of("a", "b", "c"), 2, new double[] {10_000, 20_000, 30_000}, 2)
                .along("load.rate")
                .write();
        String html = HtmlReport.of(folder);
        assertThat(html).contains("Carried against load.rate", "Response p99 against load.rate");
        assertThat(html).contains("<section id=\"load\"").contains("Response against offered rate");
    }

    @Test
    void uPlotIsTheOneThatWasReviewed() throws Exception {
        assertThat(sha256("uPlot.iife.min.js"))
                .isEqualTo("19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f");
        assertThat(sha256("uPlot.min.css"))
                .isEqualTo("df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04");
        assertThat(Page.resource("uPlot.LICENSE")).contains("MIT License", "Leon Sorokin");
        assertThat(smallHtml).contains("Leon Sorokin");
    }

    private static String sha256(String resource) throws Exception {
        return HexFormat.of().formatHex(digest(Page.resource(resource)));
    }

    private static String hash(String code) throws Exception {
        return "sha256-" + Base64.getEncoder().encodeToString(digest(code));
    }

    private static byte[] digest(String text) throws Exception {
        return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String find(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(pattern).isTrue();
        return matcher.group(1);
    }

    /** Returns the names of all elements, in order. */
    private static List<String> elements(String html) {
        return Pattern.compile("<(/?[a-z0-9]+)")
                .matcher(html.replaceAll("(?s)<script.*?</script>", ""))
                .results()
                .map(result -> result.group(1))
                .filter(name -> !name.matches("/?(line|text|title|rect|g)"))
                .toList();
    }

    /** Returns the page as a screen reader gets it: the text, one element per line. */
    private static String outline(String html) {
        return html.replaceAll("(?s)<(style|script|svg).*?</\\1>", "")
                .replaceAll("<a class=\"word\"[^>]*>([^<]*)</a>", "$1")
                .replaceAll("</(th|td)><(th|td)[^>]*>", " | ")
                .replaceAll("</(span|b|code|dt|dd|a|button)>", " ")
                .replaceAll("<[^>]*>", "\n")
                .replaceAll(" *\n\\s*", "\n")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&#39;", "'")
                .replace("&quot;", "\"")
                .replace("&amp;", "&");
    }

    @Test
    void ofManyWorkersAChartHasTheHighest(@TempDir Path root) {
        String few = HtmlReport.of(run(root.resolve("few"), 8));
        assertThat(few).contains("generator-8").doesNotContain(", highest of");
        String many = HtmlReport.of(run(root.resolve("many"), 100));
        assertThat(many).contains("generator, highest of 100").doesNotContain("generator-8");
    }

    private static RunFolder run(Path root, int workers) {
        return new SyntheticRun(root, List.of("a"), 1, new double[] {10_000}, 6)
                .workers(workers)
                .write();
    }
}

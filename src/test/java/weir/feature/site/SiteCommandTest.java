package weir.feature.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import weir.cli.Shell;
import weir.feature.publish.StoredRuns;
import weir.plan.RecordKeys;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.StoredRun;

class SiteCommandTest {
    private static final int BEFORE = 15;
    private static final int NIGHTS = 21;
    private static final int DAY = 24 * 60;
    private static final String HOSTILE = "<img src=x onerror=alert(1)>\"'&";

    @TempDir
    private Path dir;

    private final List<String> runs = new ArrayList<>();

    private RunFolder add(StoredRun run) throws IOException {
        RunFolder folder = run.write();
        StoredRuns.publish(folder);
        runs.add(folder.path().getFileName().toString());
        return folder;
    }

    private StoredRun night(int night, double p99) {
        return new StoredRun(dir.resolve("published"), "nightly")
                .at(night * DAY)
                .variant("base", p99 * (1 + 0.002 * (night % 3)), p99 * 1.001, p99 * 0.999);
    }

    /** Adds results, one each night. From the night BEFORE on, another setting makes p99 a tenth slower. */
    private void change(int nights) throws IOException {
        for (int night = runs.size(); night < nights; night++) {
            add(night < BEFORE ? night(night, 12) : night(night, 13.2).setting("load.producer.linger.ms", "20"));
        }
    }

    private Path site() {
        return dir.resolve("site");
    }

    private Shell weir(String... more) {
        List<String> words =
                new ArrayList<>(List.of("site", dir.resolve("published").toString(), "--to", site().toString()));
        words.addAll(List.of(more));
        return Shell.weir(words.toArray(String[]::new));
    }

    private void make(String... more) {
        Shell shell = weir(more);
        assertThat(shell.err()).isEmpty();
        assertThat(shell.exit()).isZero();
    }

    private SortedMap<String, String> files() throws IOException {
        SortedMap<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(site())) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(site().relativize(file).toString(), Files.readString(file));
            }
        }
        return files;
    }

    private List<String> keyPages() throws IOException {
        return files().entrySet().stream()
                .filter(file -> file.getKey().startsWith("keys/"))
                .map(Map.Entry::getValue)
                .toList();
    }

    private String page(String fact) throws IOException {
        return keyPages().stream()
                .filter(page -> page.contains(fact))
                .findFirst()
                .orElseThrow();
    }

    private static Document xml(String text) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private List<String> feed(String element) throws Exception {
        NodeList entries = xml(Files.readString(site().resolve("feed.xml"))).getElementsByTagName("entry");
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < entries.getLength(); i++) {
            texts.add(((Element) entries.item(i))
                    .getElementsByTagName(element)
                    .item(0)
                    .getTextContent());
        }
        return texts;
    }

    @Test
    void plantedChangeIsInTheFeedAndOnThePageOfItsKey() throws Exception {
        change(NIGHTS);
        make();
        String run = runs.get(BEFORE);
        assertThat(feed("title"))
                .anySatisfy(title -> assertThat(title)
                        .startsWith("nightly base, response p99: +")
                        .contains(" since " + run + ", worse"));
        assertThat(feed("title")).allSatisfy(title -> assertThat(title).contains(" since " + run));
        assertThat(feed("summary"))
                .allSatisfy(text -> assertThat(text).contains("setting load.producer.linger.ms 5 → 20"));
        assertThat(feed("updated")).containsOnly("2026-12-05T06:00:00Z");
        assertThat(keyPages()).hasSize(1);
        String page = keyPages().get(0);
        assertThat(page)
                .contains("href=\"../results/" + run + "/index.html\">nightly base, response p99: +")
                .containsPattern("<title>\\+[0-9.]+ % worse, setting load.producer.linger.ms 5 → 20</title>")
                .contains(
                        ">response p99 by date</h3>",
                        ">response p99 by load.producer.linger.ms</h3>",
                        "base, load.producer.linger.ms 5: 12.0 ms, results: 15")
                .doesNotContain("by Kafka release");
    }

    @Test
    void entriesOfTheFeedKeepTheirIds() throws Exception {
        change(NIGHTS);
        make();
        List<String> ids = feed("id");
        change(NIGHTS + 2);
        make();
        assertThat(ids).isNotEmpty().doesNotHaveDuplicates();
        assertThat(feed("id")).isEqualTo(ids);
    }

    @Test
    void resultsOfTwoMachinesShareNoAxis() throws IOException {
        for (int night = 0; night < 4; night++) {
            add(night % 2 == 0 ? night(night, 12) : night(night, 12).fact("cpu.model", "Other 1"));
        }
        make("--anyway");
        assertThat(keyPages()).hasSize(2);
        String own = page("cpu.model Imaginary 9000");
        assertThat(own)
                .contains(runs.get(0), runs.get(2))
                .doesNotContain(runs.get(1))
                .doesNotContain(runs.get(3))
                .containsPattern(
                        "machine differs \\(cpu.model is &#39;Imaginary 9000&#39; in this key and &#39;Other 1&#39;"
                                + " in [0-9a-f]{8}");
        String[] panels =
                Files.readString(site().resolve("experiments/nightly.html")).split("<section ", -1);
        assertThat(panels).hasSize(3);
        for (String panel : List.of(panels[1], panels[2])) {
            assertThat(Stream.of(runs.get(0), runs.get(1)).filter(panel::contains))
                    .hasSize(1);
            assertThat(panel).contains(">response p99 by date</h3>");
        }
    }

    @Test
    void resultsOfTwoReleasesShareAnAxis() throws IOException {
        add(night(0, 12).setting("cluster.kafka", "4.9.0"));
        add(night(1, 18).setting("cluster.kafka", "4.10.0"));
        make();
        assertThat(keyPages()).hasSize(1);
        assertThat(keyPages().get(0))
                .containsPattern("(?s)by Kafka release</h3>.*>4.9.0</text>.*>4.10.0</text>")
                .contains("Kafka release 4.10.0: 18.0 ms, results: 1");
    }

    @Test
    void everyLinkPointsToAFileAndItsHeading() throws IOException {
        change(NIGHTS);
        add(night(NIGHTS, 12).fact("cpu.model", "Other 1").suspect());
        make("--anyway");
        List<String> broken = new ArrayList<>();
        SortedMap<String, String> files = files();
        files.forEach((file, text) -> {
            for (MatchResult link :
                    Pattern.compile("href=\"([^\"]+)\"").matcher(text).results().toList()) {
                String[] parts = link.group(1).split("#", 2);
                String target = parts[0].isEmpty()
                        ? file
                        : Path.of(file).resolveSibling(parts[0]).normalize().toString();
                boolean found = files.containsKey(target)
                        && (parts.length == 1 || files.get(target).contains(" id=\"" + parts[1] + "\""));
                if (!found && !link.group(1).startsWith("data:")) {
                    broken.add(file + ": " + link.group(1));
                }
            }
        });
        assertThat(broken).isEmpty();
        assertThat(files.keySet()).contains("results/" + runs.get(NIGHTS) + "/index.html", "experiments/nightly.html");
    }

    @Test
    void chartFilesAreSvgWithATitle() throws Exception {
        add(night(0, 12));
        add(night(1, 13).setting("load.producer.linger.ms", "20"));
        make();
        List<String> charts = files().keySet().stream()
                .filter(file -> file.startsWith("charts/"))
                .toList();
        assertThat(charts)
                .anyMatch(file -> file.endsWith("-response-p99-by-date.svg"))
                .anyMatch(file -> file.endsWith("-response-p99-by-load.producer.linger.ms.svg"));
        for (String chart : charts) {
            Document svg = xml(Files.readString(site().resolve(chart)));
            assertThat(svg.getDocumentElement().getNamespaceURI()
                            + svg.getDocumentElement().getNodeName())
                    .endsWith("svg");
            assertThat(svg.getElementsByTagName("title").item(0).getTextContent())
                    .matches("[a-z]+.* by .*, key [0-9a-f]{8}, nightly");
        }
    }

    @Test
    void equalInputGivesEqualBytes() throws IOException {
        change(NIGHTS);
        make("--anyway");
        SortedMap<String, String> first = files();
        make("--anyway");
        assertThat(files()).isEqualTo(first);
    }

    @Test
    void textsOfUsersAreEscaped() throws Exception {
        for (int night = 0; night < 2; night++) {
            RunFolder folder = new StoredRun(dir.resolve("published"), "nightly")
                    .at(night)
                    .variant(HOSTILE, 12, 12.1)
                    .setting("load.producer." + HOSTILE, HOSTILE + night)
                    .setting("cluster.kafka", HOSTILE + night)
                    .fact("cpu.model", HOSTILE)
                    .write();
            RunResult result = folder.concluded();
            folder.conclude(result.with(result.conclusion().answering(HOSTILE)));
            Path asked = folder.path().resolve("experiment.json");
            Files.writeString(
                    asked,
                    Files.readString(asked)
                            .replaceFirst(
                                    "\"question\" : \"\"",
                                    "\"question\" : \"" + HOSTILE.replace("\"", "\\\\\"") + "\""));
            assertThat(folder.asked().question()).isEqualTo(HOSTILE);
            StoredRuns.publish(folder);
        }
        make("--anyway");
        SortedMap<String, String> files = files();
        assertThat(files.values()).noneMatch(text -> text.contains("<img"));
        assertThat(files.get("index.html")).contains("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;");
        for (Map.Entry<String, String> file : files.entrySet()) {
            if (file.getKey().matches(".*\\.(svg|xml)")) {
                assertThat(xml(file.getValue()).hasChildNodes()).isTrue();
            }
        }
    }

    @Test
    void indexShowsAnswerFiguresAndState() throws IOException {
        RunFolder folder = night(0, 12).suspect().write();
        RunResult result = folder.concluded();
        folder.conclude(
                RecordKeys.with(result, Map.of("conclusion", result.conclusion().answering("It is fast."))));
        StoredRuns.publish(folder);
        make();
        assertThat(Files.readString(site().resolve("index.html")))
                .contains(
                        "data-experiment=\"nightly\" data-kafka=\"4.3.1\"",
                        ">It is fast.<",
                        "2026-11-20 06:00",
                        "Imaginary 9000, 4 cores, 16000 MiB",
                        "base: response p99 12.0 ms",
                        "badge suspect\">suspect</span> shared-cores");
    }

    @Test
    void folderThatIsNoIntactResultIsNamedAndSkipped() throws IOException {
        RunFolder changed = add(night(0, 12));
        Files.writeString(changed.path().resolve("conclusion.json"), " ", StandardOpenOption.APPEND);
        RunFolder plain = night(1, 12).write();
        Path renamed = add(night(2, 12)).path();
        Files.move(renamed, renamed.resolveSibling("renamed"));
        Shell none = weir();
        assertThat(none.exit()).isEqualTo(2);
        assertThat(none.err()).hasLineCount(4).contains(": contains no published result; to add a run: weir publish");
        assertThat(site()).doesNotExist();
        assertThat(dir).isDirectoryNotContaining("glob:**.part");
        add(night(3, 12));
        Shell shell = weir();
        assertThat(shell.exit()).isEqualTo(2);
        assertThat(shell.err())
                .hasLineCount(3)
                .contains(changed.path() + ": was changed after weir publish made it (conclusion.json: SHA-256)")
                .contains(plain.path() + ": has no publication.json, so it is not a published result")
                .contains("renamed: does not have the name of its run, such as 20261127-105521-nightly");
        assertThat(shell.out()).contains("index.html: 1 result, 1 key, 0 changes");
        assertThat(site().resolve("results")).isDirectoryContaining("glob:**" + runs.get(2));
    }

    @Test
    void folderWithOtherFilesStaysAsItIs() throws IOException {
        add(night(0, 12));
        Files.createDirectories(site());
        Files.writeString(site().resolve("index.html"), "mine");
        assertThat(weir().err())
                .hasLineCount(1)
                .contains("contains 'index.html', which weir site did not make; move it, or name another folder");
        Files.delete(site().resolve("index.html"));
        make();
        Files.writeString(site().resolve("CNAME"), "mine");
        Shell shell = weir();
        assertThat(shell.exit()).isEqualTo(2);
        assertThat(shell.err()).contains("contains 'CNAME'");
        assertThat(site().resolve("CNAME")).hasContent("mine");
    }

    @Test
    void wrongFoldersAreUsageErrors() throws IOException {
        Shell missing = weir();
        assertThat(missing.exit()).isEqualTo(2);
        assertThat(missing.err()).hasLineCount(1).contains("is not a folder; name the folder with the folders");
        add(night(0, 12));
        Files.writeString(site(), "a file");
        Shell file = weir();
        assertThat(file.exit()).isEqualTo(2);
        assertThat(file.err()).hasLineCount(1).contains("is a file; name a folder");
    }
}

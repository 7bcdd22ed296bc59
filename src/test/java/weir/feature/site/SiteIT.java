package weir.feature.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.cli.Shell;
import weir.feature.publish.StoredRuns;
import weir.real.Chromium;
import weir.results.StoredRun;

/** A site in a real browser, without a network. */
class SiteIT {
    @TempDir
    private Path dir;

    private Path site() {
        return dir.resolve("site");
    }

    private void add(String name, int minute) throws IOException {
        StoredRuns.publish(new StoredRun(dir.resolve("published"), name)
                .at(minute)
                .variant("base", 10, 10.1, 9.9, 10)
                .write());
    }

    @BeforeEach
    void make() throws IOException {
        add("orders", 0);
        add("orders", 60);
        add("payments", 120);
        Shell shell = Shell.weir("site", dir.resolve("published").toString(), "--to", site().toString());
        assertThat(shell.err()).isEmpty();
    }

    private Chromium.Seen filtered(String name, String value) throws Exception {
        Path page = new Chromium(dir)
                .with(
                        site().resolve("index.html"),
                        "const input = document.querySelector('.filters [name=" + name + "]'); input.value = '" + value
                                + "'; input.dispatchEvent(new Event('input'))");
        return new Chromium(dir).open(page);
    }

    @Test
    void filtersHideTheOtherResults() throws Exception {
        assertThat(filtered("experiment", "").page()).contains("3 of 3 results");
        assertThat(filtered("experiment", "payments").page()).contains("1 of 3 results");
        assertThat(filtered("text", "ORDERS").page()).contains("2 of 3 results");
        Chromium.Seen none = filtered("text", "no such text");
        assertThat(none.page()).contains("0 of 3 results");
        assertThat(none.count("<tr data-experiment") + none.count("<tr hidden"))
                .as("rows stay in the page")
                .isPositive();
        assertThat(none.complaints()).isEmpty();
    }

    @Test
    void browserShowsEveryPageWithoutErrors() throws Exception {
        List<Path> pages;
        try (Stream<Path> all = Files.walk(site())) {
            pages = all.filter(file -> file.toString().endsWith(".html")).toList();
        }
        assertThat(pages).hasSizeGreaterThanOrEqualTo(5);
        for (Path page : pages) {
            Chromium.Seen seen = new Chromium(dir).open(page);
            assertThat(seen.complaints()).as(page.toString()).isEmpty();
            assertThat(seen.page()).contains("</main>");
        }
    }
}

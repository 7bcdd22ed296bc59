package weir.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import weir.host.PageCache.Residency;

class PageCacheTest {
    /** On a disk, because pages of a file system in memory are not dropped. */
    @TempDir(factory = TempDirFactory.Standard.class)
    Path folder;

    @Test
    void droppedPageCacheLeavesFileContentUnchanged() throws IOException {
        assumeThat(Files.getFileStore(folder).type()).isNotIn("tmpfs", "ramfs");
        byte[] content = new byte[3_000_001];
        content[2_999_999] = 7;
        Path file = Files.write(folder.resolve("0.log"), content);
        Path other = Files.write(folder.resolve("0.index"), content);
        List<Path> segments = PageCache.files(folder, ".log");
        assertThat(segments).containsExactly(file);
        Residency before = PageCache.residency(segments);
        assertThat(before.bytes()).isEqualTo(3_000_001);
        assertThat(before.share()).as("%s", before).isGreaterThan(0.9);
        PageCache.drop(segments);
        Residency after = PageCache.residency(segments);
        assertThat(after.share()).as("%s", after).isLessThan(0.1);
        assertThat(PageCache.residency(List.of(other)).share()).isGreaterThan(0.9);
        assertThat(file).hasBinaryContent(content);
    }

    @Test
    void aFileThatIsGoneIsNotMissed() {
        List<Path> gone = List.of(folder.resolve("rolled.log"));
        PageCache.drop(gone);
        assertThat(PageCache.residency(gone).share()).isZero();
    }
}

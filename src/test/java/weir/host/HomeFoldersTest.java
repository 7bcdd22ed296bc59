package weir.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HomeFoldersTest {
    @Test
    void theStandardsVariablesComeFirstThenHomeThenThePasswdEntry() {
        HomeFolders all =
                new HomeFolders(Map.of("XDG_STATE_HOME", "/s", "XDG_CACHE_HOME", "/c", "HOME", "/home/me"), "/root");
        assertThat(all.state()).isEqualTo(Path.of("/s/weir"));
        assertThat(all.cache()).isEqualTo(Path.of("/c/weir"));
        HomeFolders home = new HomeFolders(Map.of("HOME", "/home/me"), "?");
        assertThat(home.state()).isEqualTo(Path.of("/home/me/.local/state/weir"));
        assertThat(home.cache()).isEqualTo(Path.of("/home/me/.cache/weir"));
        assertThat(new HomeFolders(Map.of(), "/root").state()).isEqualTo(Path.of("/root/.local/state/weir"));
    }

    @Test
    void aRelativePathIsIgnoredAsTheStandardSays() {
        HomeFolders relative = new HomeFolders(Map.of("XDG_STATE_HOME", "s", "HOME", "/home/me"), "?");
        assertThat(relative.state()).isEqualTo(Path.of("/home/me/.local/state/weir"));
    }

    @Test
    void withoutAHomeNothingIsMadeInTheCurrentFolder() {
        HomeFolders none = new HomeFolders(Map.of(), "?");
        assertThatThrownBy(none::state)
                .isInstanceOf(HomeFolders.Homeless.class)
                .hasMessageContaining("HOME or XDG_STATE_HOME");
        assertThatThrownBy(none::cache).hasMessageContaining("HOME or XDG_CACHE_HOME");
    }
}

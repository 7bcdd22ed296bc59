package weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HttpTargetTest {
    private static HttpTarget only(String url) {
        return HttpTarget.of(url).get(0);
    }

    @Test
    void portDefaultsToTheSchemeAndTheHostHeaderOmitsIt() {
        HttpTarget plain = only("http://127.0.0.1");
        assertThat(plain.address().getPort()).isEqualTo(80);
        assertThat(plain.host()).isEqualTo("127.0.0.1");
        assertThat(plain.tls()).isFalse();
        HttpTarget secure = only("HTTPS://127.0.0.1/");
        assertThat(secure.address().getPort()).isEqualTo(443);
        assertThat(secure.tls()).isTrue();
        assertThat(only("http://127.0.0.1:8080").host()).isEqualTo("127.0.0.1:8080");
    }

    @Test
    void resourceKeepsTheQueryAndThePathHasNoSlashAtItsEnd() {
        HttpTarget target = only("http://127.0.0.1:1/a/b/?c=d");
        assertThat(target.path()).isEqualTo("/a/b");
        assertThat(target.resource()).isEqualTo("/a/b/?c=d");
        assertThat(target).hasToString("http://127.0.0.1:1/a/b");
        assertThat(only("http://127.0.0.1:1").resource()).isEqualTo("/");
        assertThat(only("http://127.0.0.1:1").path()).isEmpty();
    }

    @Test
    void urlWithoutAUsableHostIsRefused() {
        for (String url : new String[] {"http://a_b/", "http://127.0.0.1/{x}", "http:///x"}) {
            assertThatThrownBy(() -> HttpTarget.of(url))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("'" + url + "' is not a URL with a host; write it like http://HOST:PORT/PATH");
        }
        assertThatThrownBy(() -> HttpTarget.of("http://nowhere.invalid/"))
                .hasMessage("cannot resolve host name 'nowhere.invalid' of http://nowhere.invalid/");
    }
}

package weir.plan.syntax;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PageAddressTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"http://kafka-1:9404/metrics", "https://10.0.0.7/metrics?name%5B%5D=kafka", "http://[::1]:9404"})
    void anAddressOfAPageIsTaken(String url) {
        assertThatCode(() -> ScalarType.URL.check(url)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "kafka-1:9404, is no address of a page; write http://HOST:PORT/metrics",
        "ftp://kafka-1/metrics, is no address of a page; write http://HOST:PORT/metrics",
        "http:///metrics, is no address of a page; write http://HOST:PORT/metrics",
        "http://kafka 1/metrics, is no address of a page; write http://HOST:PORT/metrics",
        "http://kafka-1/metrics#x, is no address of a page; write http://HOST:PORT/metrics",
        "http://a:99999/, is no address of a page; write http://HOST:PORT/metrics",
        "http://a_b:99999999/, is no address of a page; write http://HOST:PORT/metrics",
    })
    void whatIsNoneIsSaid(String url, String why) {
        assertThatThrownBy(() -> ScalarType.URL.check(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + url + "' " + why);
    }

    @Test
    void aSecretIsRefusedAndNotSaid() {
        assertThatThrownBy(() -> ScalarType.URL.check("http://me:geheim@kafka-1:9404/metrics"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no user and no password")
                .hasMessageNotContaining("geheim");
        assertThatThrownBy(() -> ScalarType.URL.check("http://kafka-1:9404/metrics?a=b&access_token=geheim"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no secret in it")
                .hasMessageNotContaining("geheim");
    }
}

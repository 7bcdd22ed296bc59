package weir.feature.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Pods that only have arguments: the image has the program, the user and the writable folders. */
class ImageTest {
    @Test
    void imagesStartWeirAsThePodsExpect() throws IOException {
        assertThat(Files.readString(Path.of("Dockerfile")))
                .contains("ENTRYPOINT [\"/opt/weir/weir\"]", "COPY . /opt/weir\n", "USER 1000:1000\n")
                .contains("ENV HOME=" + RunObjects.HOME + "\n");
        assertThat(Files.readString(Path.of("pom.xml")))
                .contains("<program>/opt/weir/weir</program>", "<into>/opt/weir</into>", "<user>1000:1000</user>")
                .contains("<HOME>" + RunObjects.HOME + "</HOME>");
    }
}

package weir.feature.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.cli.Main;
import weir.cli.Shell;
import weir.run.Exit;

class InPodsTest {
    @TempDir
    private Path folder;

    private String file(String yaml) throws IOException {
        return Files.writeString(folder.resolve("x.yaml"), "kubernetes: { image: weir }\nmeasure: 1s\n" + yaml)
                .toString();
    }

    @Test
    void aMachineWithoutConfigurationOfKubernetesIsTold() throws Exception {
        Path output = folder.resolve("output");
        ProcessBuilder weir = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "run",
                        "--on",
                        "kubernetes",
                        "--runs",
                        folder.resolve("runs").toString(),
                        file("load: { rate: 1/s }"))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        weir.environment().clear();
        weir.environment()
                .putAll(Map.of(
                        "HOME", folder.toString(), "KUBERNETES_AUTH_TRYSERVICEACCOUNT", "false", "PATH", "/bin"));
        assertThat(weir.start().waitFor()).isEqualTo(Exit.PREFLIGHT.code());
        List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).startsWith("in Kubernetes, namespace weir: weir-x-");
        assertThat(lines.get(1))
                .isEqualTo("there is no configuration of Kubernetes: set KUBECONFIG to one, or write ~/.kube/config;"
                        + " kubectl config view shows what is there");
        assertThat(folder.resolve("runs")).doesNotExist();
    }

    @Test
    void aClusterThatIsNotOursIsNotLoadedFromAPodWithoutAWord() throws IOException {
        Shell shell = Shell.weir("run", "--on", "kubernetes", file("cluster: { bootstrap: 'k:9092' }"));
        assertThat(shell.exit()).isEqualTo(Exit.PREFLIGHT.code());
        assertThat(shell.err()).hasLineCount(1).contains("not ours").contains("give --yes");
    }

    @Test
    void aRunInPodsIsNotResumed() throws IOException {
        Shell shell = Shell.weir("run", "--on", "kubernetes", "--resume", "x", file("load: {}"));
        assertThat(shell.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(shell.err()).hasLineCount(1).contains("--resume: ").contains("begin anew");
    }
}

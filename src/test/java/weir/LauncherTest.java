package weir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The launcher with a temporary HOME and PATH, where Maven and Java are scripts that record their arguments. */
@Timeout(20)
class LauncherTest {
    private static final String MAVEN = """
            #!/bin/sh
            echo built >> "$WORLD/builds"
            echo "$MAVEN_OPTS" > "$WORLD/maven-opts"
            for a in "$@"; do case $a in -Dweir.target=*) target=${a#*=};; esac; done
            mkdir -p "$target/lib"
            [ ! -e "$WORLD/gate" ] || read -r go < "$WORLD/gate"
            if [ -e "$WORLD/broken" ]; then
                echo '[ERROR] COMPILATION ERROR : '
                echo '[ERROR] Main.java:[7,1] error: class expected'
                echo '[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.'
                exit 1
            fi
            echo jar > "$target/weir-1.jar"
            """;
    private static final String JAVA = """
            #!/bin/sh
            case "$*" in *-XX:ArchiveClassesAtExit=*) echo archive >> "$WORLD/archives"; exit 0;; esac
            echo "java $$ in $PWD:"
            for a in "$@"; do echo "<$a>"; done
            exit 7
            """;
    private static final List<String> TOOLS =
            List.of("sh dirname readlink find touch date mv rm sed grep awk cut tail mkdir flock cat".split(" ", -1));

    @TempDir
    private Path world;

    private Path home;

    @BeforeEach
    void makeAWorld() throws IOException {
        world = world.toRealPath();
        home = Files.createDirectories(world.resolve("home"));
        Files.createDirectories(home.resolve("src/main"));
        Files.createDirectories(home.resolve("experiments"));
        Files.createDirectories(world.resolve("bin"));
        Files.writeString(home.resolve("pom.xml"), "<project/>");
        Files.writeString(home.resolve("src/main/A.java"), "class A {}");
        long before = Instant.now().minusSeconds(100).toEpochMilli();
        for (String old : List.of("pom.xml", "src/main/A.java", "src/main", "experiments")) {
            Files.setLastModifiedTime(home.resolve(old), FileTime.fromMillis(before));
        }
        // The real folder of JVMs would hide that the launcher found none.
        String launcher = Files.readString(Path.of("weir")).replace("/usr/lib/jvm", world + "/jvm");
        script(home.resolve("weir"), launcher);
        for (String tool : TOOLS) {
            script(world.resolve("bin").resolve(tool), "#!/bin/sh\nexec " + which(tool) + " \"$@\"\n");
        }
        script(world.resolve("bin/mvn"), MAVEN);
        jdk("jvm/jdk-17", "17.0.9");
    }

    @Test
    void firstStartBuildsAndPrintsOneLineAndNextStartSkipsTheBuild() throws Exception {
        Ended first = start();
        Ended second = start();
        assertThat(first.err()).matches("weir: first start, building \\(a minute or two\\) \\.\\.\\. done in \\d+ s\n");
        assertThat(second.err()).isEmpty();
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void mavenUsesTheHomeVariable() throws Exception {
        ProcessBuilder builder = process(home, List.of(home.resolve("weir").toString()));
        builder.environment().put("HOME", "/home/of/nobody");
        assertThat(builder.start().waitFor()).isEqualTo(7);
        assertThat(Files.readString(world.resolve("maven-opts"))).contains("-Duser.home=/home/of/nobody");
    }

    @Test
    void changedAndDeletedSourcesAreBuiltAgain() throws Exception {
        start();
        Files.writeString(home.resolve("src/main/B.java"), "class B {}");
        assertThat(start().err()).startsWith("weir: sources changed, building");
        Files.delete(home.resolve("src/main/B.java"));
        start();
        start();
        assertThat(builds()).isEqualTo(3);
    }

    @Test
    void oldBuildIsDeletedUnlessInUse() throws Exception {
        start();
        Path first = jars().get(0);
        Process user = new ProcessBuilder("flock", "-s", first.toString(), "cat").start();
        // Repeats until the lock is taken; only an attempt to lock shows this.
        new ProcessBuilder("sh", "-c", "while flock -n -x \"$0\" true; do :; done", first.toString())
                .start()
                .waitFor();
        touchSources();
        start();
        assertThat(jars()).contains(first).hasSize(2);
        user.getOutputStream().close();
        user.waitFor();
        touchSources();
        start();
        assertThat(jars()).doesNotContain(first).hasSize(1);
    }

    @Test
    void classDataArchiveIsCreatedOnlyIfJavaHasItsOwnArchive() throws Exception {
        start();
        assertThat(world.resolve("archives")).doesNotExist();
        Path server = Files.createDirectories(world.resolve("jvm/jdk-17/lib/server"));
        Files.createFile(server.resolve("classes.jsa"));
        start();
        assertThat(world.resolve("archives")).hasContent("archive");
    }

    @Test
    void firstRunWritesTheClassArchiveForLaterRuns() throws Exception {
        Path server = Files.createDirectories(world.resolve("jvm/jdk-17/lib/server"));
        Files.createFile(server.resolve("classes.jsa"));
        start();
        Path lib = jars().get(0).resolveSibling("");
        String build = String.valueOf(jars().get(0).getFileName()).replace(".jar", ".17.0.9");
        // An unfinished archive, as a JVM leaves it: first of a running process, then of an ended one.
        Process writes = new ProcessBuilder("sleep", "60").start();
        Path unfinished = Files.createFile(lib.resolve(build + ".run." + writes.pid() + ".jsa"));
        assertThat(start().out()).doesNotContain(".run.jsa");
        assertThat(unfinished).exists();
        writes.destroyForcibly().waitFor();
        assertThat(start().out()).contains("<-XX:SharedArchiveFile=" + lib.resolve(build + ".run.jsa") + ">");
        assertThat(unfinished).doesNotExist();
    }

    @Test
    void concurrentStartsBuildOnce() throws Exception {
        Path gate = world.resolve("gate");
        new ProcessBuilder("mkfifo", gate.toString()).start().waitFor();
        Process one = process(home, List.of(home.resolve("weir").toString())).start();
        Process two = process(home, List.of(home.resolve("weir").toString())).start();
        Files.writeString(gate, "go\n");
        assertThat(List.of(one.waitFor(), two.waitFor())).containsExactly(7, 7);
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void becomesTheJvmInTheCallersFolderWithEveryArgumentAsItWas() throws Exception {
        Path link = Files.createSymbolicLink(world.resolve("weir-link"), home.resolve("weir"));
        Path elsewhere = Files.createDirectory(world.resolve("else where"));
        Process process = process(elsewhere, List.of(link.toString(), "run", "a file.yaml", "--set", "x=*"))
                .start();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).isEqualTo(7);
        assertThat(out)
                .startsWith("java " + process.pid() + " in " + elsewhere + ":\n")
                .endsWith("<run>\n<a file.yaml>\n<--set>\n<x=*>\n");
    }

    @Test
    void failedBuildPrintsErrorsAndAdviceAndNextStartBuildsAgain() throws Exception {
        Files.createFile(world.resolve("broken"));
        Ended failed = start();
        assertThat(failed.exit()).isEqualTo(1);
        assertThat(failed.err())
                .contains("  Main.java:[7,1] error: class expected")
                .contains("mend the sources")
                .contains("build.log")
                .doesNotContain("re-run Maven");
        Files.delete(world.resolve("broken"));
        assertThat(start().exit()).isEqualTo(7);
    }

    @Test
    void aMissingJdkIsNamedByItsPackage() throws Exception {
        Files.delete(world.resolve("jvm/jdk-17/bin/javac"));
        jdk("jvm/jdk-11", "11.0.2");
        Ended ended = start();
        assertThat(ended.exit()).isEqualTo(3);
        assertThat(ended.err())
                .isEqualTo("weir: a JDK of version 17 or newer is missing: apt install openjdk-17-jdk-headless\n");
    }

    @Test
    void aMissingMavenIsNamedByItsPackage() throws Exception {
        Files.delete(world.resolve("bin/mvn"));
        Ended ended = start();
        assertThat(ended.exit()).isEqualTo(3);
        assertThat(ended.err()).endsWith("apt install maven\n").hasLineCount(1);
    }

    @Test
    void aDistributionNeedsOnlyAJavaRuntimeAndNeverBuilds() throws Exception {
        Files.delete(world.resolve("jvm/jdk-17/bin/javac"));
        Files.delete(world.resolve("bin/mvn"));
        Files.createDirectory(home.resolve("lib"));
        Files.writeString(home.resolve("lib/weir-0.1.0.jar"), "jar");
        Ended ended = start("--version");
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out()).contains("<" + home.resolve("lib/weir-0.1.0.jar") + ">\n<--version>\n");
    }

    private record Ended(int exit, String out, String err) {}

    private Ended start(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(home.resolve("weir").toString()));
        command.addAll(List.of(arguments));
        Path err = world.resolve("err");
        Process process = process(home, command).redirectError(err.toFile()).start();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Ended(process.waitFor(), out, Files.readString(err));
    }

    private ProcessBuilder process(Path folder, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", world.resolve("bin").toString());
        builder.environment().put("WORLD", world.toString());
        builder.environment().put("HOME", world.toString());
        return builder;
    }

    private long builds() throws IOException {
        return Files.readAllLines(world.resolve("builds")).size();
    }

    private List<Path> jars() throws IOException {
        try (Stream<Path> files = Files.list(home.resolve("target/launcher/lib"))) {
            return files.filter(file -> file.toString().endsWith(".jar")).toList();
        }
    }

    private void touchSources() throws IOException {
        Files.setLastModifiedTime(home.resolve("pom.xml"), FileTime.from(Instant.now()));
    }

    private void jdk(String name, String version) throws IOException {
        Path folder = Files.createDirectories(world.resolve(name));
        Files.writeString(folder.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        Files.createDirectory(folder.resolve("bin"));
        script(folder.resolve("bin/java"), JAVA);
        script(folder.resolve("bin/javac"), JAVA);
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Path which(String tool) {
        return Stream.of("/bin", "/usr/bin")
                .map(folder -> Path.of(folder, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError(tool + " is not on this machine"));
    }
}

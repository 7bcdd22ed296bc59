package weir.real;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The program as its users start it, with its own folder and state. */
public record Door(Path folder) {
    /** The secret of ${env:TRIED_SECRET}. */
    static final String SECRET = "Open-Sesame-4711";

    public record Ended(int exit, String out, String err) {}

    /** A running command. Its output goes to files, as in a script. */
    public record Running(Process process, Path out, Path err) {
        public Ended end() throws IOException, InterruptedException {
            if (!process.waitFor(600, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("weir did not end; it said:\n" + Files.readString(err));
            }
            return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
        }

        /** Waits until standard error contains these texts, one after the other. */
        public void awaitErr(String... texts) throws IOException {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
            Pattern awaited = Pattern.compile(
                    Stream.of(texts).map(Pattern::quote).collect(Collectors.joining(".*")), Pattern.DOTALL);
            while (!awaited.matcher(Files.readString(err)).find()) {
                if (!process.isAlive() || System.nanoTime() > deadline) {
                    throw new AssertionError("weir did not say " + List.of(texts) + ", but:\n" + Files.readString(err));
                }
                LockSupport.parkNanos(20_000_000);
            }
        }

        /** Returns the first child process that runs a main class of this name. */
        ProcessHandle child(String main) {
            return process.descendants()
                    .filter(child -> commandLine(child).contains(main))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no child runs " + main));
        }

        /** Returns the command line. The JDK cuts it at a page, within the class path. */
        private static String commandLine(ProcessHandle process) {
            try {
                return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
            } catch (IOException ended) {
                return "";
            }
        }

        public void signal(String name) throws IOException, InterruptedException {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        }
    }

    public Running start(String... arguments) throws IOException {
        return start(List.of(), arguments);
    }

    /** Starts the program by another command, whose last arguments are Weir's command line. */
    Running start(List<String> by, String... arguments) throws IOException {
        Path out = Files.createTempFile(folder, "out", ".txt");
        Path err = Files.createTempFile(folder, "err", ".txt");
        // Tests in the background ignore Ctrl-C, and so would all their children.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.addAll(by);
        command.add(Path.of("weir").toAbsolutePath().toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("XDG_STATE_HOME", state().toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        // The temporary folder of the command itself; workers and brokers have their own.
        builder.environment()
                .put("JDK_JAVA_OPTIONS", "\"-Djava.io.tmpdir=" + Files.createDirectories(temporary()) + "\"");
        builder.environment().put("TRIED_SECRET", SECRET);
        return new Running(builder.start(), out, err);
    }

    public Ended weir(String... arguments) throws IOException, InterruptedException {
        return start(arguments).end();
    }

    public Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text, StandardCharsets.UTF_8);
    }

    /** Returns the temporary folder of the command itself; workers and brokers have their own. */
    Path temporary() {
        return folder.resolve("temporary");
    }

    public Path state() {
        return folder.resolve("state");
    }
}

package weir.feature.hosts;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import weir.host.Child;
import weir.host.Children;
import weir.host.Command;
import weir.host.HostUnavailable;
import weir.host.LocalChild;
import weir.host.Programs;
import weir.plan.PlacedSpec;
import weir.time.DaemonThreads;

/** A host that Weir reaches over ssh. The user's cache folder on the host gets one copy of each build of Weir. */
record SshHost(String name, List<String> ssh, Children children, Path log) {
    private static final Duration ASKING = Duration.ofSeconds(30);
    private static final Duration COPYING = Duration.ofMinutes(5);
    private static final int NEEDED = 17;
    private static final int MOST_LINES = 3;

    // Prints the path of Java, its version, and whether the program exists. The script reaches the user's shell in
    // single quotes, so it must not contain any.
    private static final String LOOK = String.join(
            "; ",
            "d=${XDG_CACHE_HOME:-$HOME/.cache}/weir/program/%1$s",
            "j=",
            "for c in $JAVA_HOME/bin/java $(command -v java) /usr/lib/jvm/*/bin/java",
            "do [ -x $c ] && j=$c && break",
            "done",
            "echo java $j",
            "[ -z $j ] || $j -version 2>&1",
            "[ -d $d ] && echo program there",
            "true");

    // The file gets its final name when it is complete.
    private static final String COPY = String.join(
            " && ",
            "umask 077",
            "d=${XDG_CACHE_HOME:-$HOME/.cache}/weir/program/%1$s",
            "mkdir -p $d.$$",
            "tar -C $d.$$ -xf -",
            "mv $d.$$ $d");

    private static final String START = String.join(
            "; ",
            "d=${XDG_CACHE_HOME:-$HOME/.cache}/weir/program/%1$s",
            "exec %2$s -Xmx128m -XX:+UseSerialGC -cp $d/%3$s weir.cli.Main worker --connect %4$s --token - --name %5$s");

    SshHost {
        // No terminal can answer ssh's password prompts.
        ssh = ssh.equals(List.of("ssh"))
                ? List.of("ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10")
                : List.copyOf(ssh);
    }

    /**
     * Starts the program, which connects to this address and ends with the returned child.
     *
     * @throws HostUnavailable with a reason in one line
     */
    LocalChild start(ProgramFiles program, String address, byte[] token) {
        if (Programs.named(ssh.get(0)).toString().isEmpty() && !ssh.get(0).contains("/")) {
            throw new HostUnavailable(
                    "host '" + name + "': program '" + ssh.get(0) + "' was not found on this machine");
        }
        List<String> seen =
                answer("looking for Java", String.format(LOOK, program.copy()), ASKING, InputStream.nullInputStream());
        String java = seen.stream()
                .filter(line -> line.startsWith("java ") || line.equals("java"))
                .findFirst()
                .orElse("java")
                .substring("java".length())
                .strip();
        if (java.isEmpty()) {
            throw new HostUnavailable(
                    "host '" + name + "' has no Java in JAVA_HOME, PATH or /usr/lib/jvm; install a Java runtime "
                            + NEEDED + " or newer there");
        }
        checkVersion(seen, java);
        if (!seen.contains("program there")) {
            List<String> tar =
                    new ArrayList<>(List.of("tar", "-C", program.folder().toString(), "-cf", "-", "--"));
            tar.addAll(program.names());
            try (LocalChild packing = children.start(new Command("tar", tar, log, Command.Output.READ))) {
                answer("copying the program", String.format(COPY, program.copy()), COPYING, packing.output());
            }
        }
        String start =
                String.format(START, program.copy(), java, program.names().get(0), address, PlacedSpec.called(name));
        LocalChild child = ssh(start);
        try {
            child.input().write(token);
            child.input().flush();
            return child;
        } catch (IOException e) {
            throw ended(child, "starting the program");
        }
    }

    private void checkVersion(List<String> seen, String java) {
        String version = seen.stream()
                .filter(line -> line.contains("version \""))
                .map(line -> line.substring(line.indexOf('"') + 1).replaceAll("\".*", ""))
                .findFirst()
                .orElse("");
        String major = version.replaceAll("[^0-9].*", "");
        if (major.isEmpty() || major.length() > 3 || Integer.parseInt(major) < NEEDED) {
            throw new HostUnavailable(
                    "host '" + name + "': Java must be at least " + NEEDED + ", found '" + version + "' at " + java);
        }
    }

    private List<String> answer(String doing, String script, Duration limit, InputStream input) {
        LocalChild child = ssh(script);
        try {
            try (OutputStream in = child.input()) {
                input.transferTo(in);
            } catch (IOException broken) {
                throw ended(child, doing);
            }
            List<String> lines = new ArrayList<>();
            Thread reading = DaemonThreads.of("weir-ssh-" + name, () -> read(child, lines));
            reading.start();
            if (!child.endsWithin(limit)) {
                throw new HostUnavailable("host '" + name + "', " + doing + ": " + String.join(" ", ssh) + " " + name
                        + " did not answer within " + limit.toSeconds() + " s");
            }
            DaemonThreads.join(reading, 0);
            if (child.exit().join() != 0) {
                throw ended(child, doing);
            }
            return lines;
        } finally {
            child.close();
        }
    }

    private static void read(LocalChild child, List<String> into) {
        try (BufferedReader out = new BufferedReader(new InputStreamReader(child.output(), StandardCharsets.UTF_8))) {
            out.lines().forEach(into::add);
        } catch (IOException | UncheckedIOException closed) {
            // The child has ended; its exit gives the reason.
            into.add("");
        }
    }

    private HostUnavailable ended(Child child, String doing) {
        boolean over = child.endsWithin(Duration.ofSeconds(5));
        List<String> lines = child.lastLines(MOST_LINES).stream()
                .filter(line -> !line.isBlank())
                .toList();
        return new HostUnavailable("host '" + name + "', " + doing + ": " + String.join(" ", ssh) + " " + name + " "
                + (over ? Child.ending(child.exit().join()) : "stopped reading its input")
                + (lines.isEmpty() ? "" : ": " + String.join("; ", lines)));
    }

    private LocalChild ssh(String script) {
        List<String> command = new ArrayList<>(ssh);
        command.add(name);
        command.add("sh -c '" + script + "'");
        return children.start(new Command("ssh " + name, command, log, Command.Output.READ));
    }
}

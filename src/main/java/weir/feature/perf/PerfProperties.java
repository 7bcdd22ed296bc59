package weir.feature.perf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.cli.CommandText;
import weir.cli.FlagPlan;
import weir.io.Io;
import weir.plan.property.ClientFile;
import weir.plan.property.Properties;
import weir.plan.property.Redact;
import weir.plan.property.SecretReferences;
import weir.plan.property.WireProperties;

/** The client properties of a command line and of its properties file. The command line overrides the file. */
final class PerfProperties {
    private final SortedMap<String, Property> all = new TreeMap<>();
    private final PerfTool words;

    /** A property and the flag that set it. The value of a secret is a reference to the file with the secret. */
    record Property(String value, String flag) {}

    private PerfProperties(PerfTool words) {
        this.words = words;
    }

    /** Writes secrets of the command line to a file of {@code folder} that only its owner may read. */
    static PerfProperties of(
            PerfTool words, String configFlag, String config, String flag, List<String> given, Path folder) {
        PerfProperties properties = new PerfProperties(words);
        if (!config.isEmpty()) {
            properties.read(configFlag, Path.of(config));
        }
        properties.take(flag, given, folder);
        return properties;
    }

    private void read(String flag, Path file) {
        try {
            ClientFile.read(file)
                    .forEach((name, value) ->
                            all.put(name, new Property(value, flag + " " + file + ": '" + name + "'")));
        } catch (IllegalArgumentException e) {
            throw words.wrong(flag + ": " + e.getMessage());
        }
    }

    private void take(String flag, List<String> given, Path folder) {
        java.util.Properties secrets = new java.util.Properties();
        Path file = folder.resolve("secrets.properties");
        for (String property : given) {
            int equals = property.indexOf('=');
            String name = property.substring(0, Math.max(0, equals)).strip();
            if (name.isEmpty()) {
                throw words.wrong(flag + ": '" + CommandText.hidden(property, true)
                        + "' is not NAME=VALUE, such as linger.ms=10");
            }
            String value = property.substring(equals + 1);
            if (Redact.hides(name, value) && !value.contains("${")) {
                secrets.setProperty(name, value);
                value = SecretReferences.toEntry(file, name);
            }
            all.put(name, new Property(value, flag + ": '" + name + "'"));
        }
        if (!secrets.isEmpty()) {
            keep(secrets, file);
        }
    }

    private static void keep(java.util.Properties secrets, Path file) {
        try {
            Files.createFile(file, Io.OWN_FILE);
            try (var writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
                secrets.store(writer, "");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + file, e);
        }
    }

    boolean has(String name) {
        return all.containsKey(name);
    }

    String remove(String name) {
        Property removed = all.remove(name);
        return removed == null ? "" : removed.value();
    }

    void drop(Map<String, String> reasons) {
        reasons.forEach((name, reason) -> {
            Property property = all.remove(name);
            if (property != null) {
                words.say(property.flag() + " has no effect: " + reason);
            }
        });
    }

    String value(String name) {
        Property property = all.get(name);
        return property == null ? "" : property.value();
    }

    void write(FlagPlan plan, String engine, String... except) {
        SortedMap<String, Property> left = new TreeMap<>(all);
        left.keySet().removeAll(List.of(except));
        left.entrySet().removeIf(property -> {
            String name = property.getKey();
            String without = engine.equals("wire") && !WireProperties.known().containsKey(name)
                    ? "the wire engine does not support it"
                    : Properties.withoutEffect(name);
            if (!without.isEmpty()) {
                words.say(property.getValue().flag() + " has no effect: " + without);
            }
            return !without.isEmpty();
        });
        if (!left.isEmpty()) {
            plan.add("  client:");
        }
        SortedMap<String, Property> unknown = new TreeMap<>(left);
        unknown.keySet().removeIf(name -> Properties.doubt(name).isEmpty());
        left.keySet().removeAll(unknown.keySet());
        left.forEach((name, property) -> write(plan, "    ", name, property));
        if (!unknown.isEmpty()) {
            plan.add("    plugin:");
        }
        unknown.forEach((name, property) -> {
            words.say(property.flag() + " " + Properties.doubt(name) + "; Weir passes it on unchanged");
            write(plan, "      ", name, property);
        });
    }

    private static void write(FlagPlan plan, String indent, String name, Property property) {
        plan.add(indent + FlagPlan.quoted(name) + ": " + FlagPlan.quoted(property.value()), property.flag());
    }
}

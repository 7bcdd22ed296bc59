package weir.feature.presets;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import weir.plan.NearestWord;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.property.BrokerProperties;
import weir.plan.property.Property;

/** The properties in a user's file, for clients, topics and brokers. */
record OwnProperties(String file, SortedMap<String, String> values, List<String> remarks) {
    static final OwnProperties NONE = new OwnProperties("", new TreeMap<>(), List.of());

    private static final Pattern FREE = Pattern.compile("config\\.providers|listener\\.name\\.");
    private static final int MOST_BYTES = 1 << 20;
    private static final int MOST_PROBLEMS = 10;

    OwnProperties {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
        remarks = List.copyOf(remarks);
    }

    static OwnProperties read(String file) {
        Lines lines = lines(file);
        List<Problem> problems = new ArrayList<>();
        lines.twice.forEach(name -> problems.add(problem(file, "'" + name + "' is set twice; remove one")));
        SortedMap<String, String> values = new TreeMap<>();
        List<String> remarks = new ArrayList<>();
        Set<String> known = known();
        lines.stringPropertyNames().stream().sorted().forEach(name -> {
            values.put(name, lines.getProperty(name).strip());
            if (!known.contains(name) && !FREE.matcher(name).lookingAt()) {
                remarks.add("'" + name + "' is not a property of a Kafka client, topic or broker"
                        + NearestWord.hint(name, known));
            }
        });
        if (!problems.isEmpty()) {
            throw new Problems(problems.subList(0, Math.min(MOST_PROBLEMS, problems.size())));
        }
        return new OwnProperties(file, values, remarks);
    }

    private static Set<String> known() {
        Set<String> known = new TreeSet<>(weir.plan.property.Properties.known().keySet());
        known.addAll(BrokerProperties.defaults().keySet());
        known.addAll(BrokerProperties.ofTopics());
        known.add(Property.REPLICATION);
        return known;
    }

    private static Lines lines(String file) {
        Lines lines = new Lines();
        try {
            Path path = Path.of(file);
            if (Files.isDirectory(path)) {
                throw refused(file, "is a folder; name a file of properties, such as producer.properties");
            }
            if (!Files.exists(path)) {
                throw refused(file, "does not exist; name a file of properties, such as producer.properties");
            }
            if (Files.size(path) > MOST_BYTES) {
                throw refused(file, "must be at most 1 MiB; name a file of properties");
            }
            try (Reader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
                lines.load(reader);
            }
        } catch (CharacterCodingException | IllegalArgumentException e) {
            throw refused(
                    file,
                    e instanceof InvalidPathException
                            ? "is not a file name"
                            : "is not UTF-8 text with lines like linger.ms=10");
        } catch (IOException e) {
            throw refused(file, "cannot be read: " + e.getMessage());
        }
        return lines;
    }

    private static Problems refused(String file, String why) {
        return new Problems(List.of(problem(file, why)));
    }

    private static Problem problem(String file, String message) {
        return Problem.of("weir presets: --with " + file, message);
    }

    private static final class Lines extends Properties {
        private static final long serialVersionUID = 1;

        private final transient Set<String> twice = new TreeSet<>();

        @Override
        public synchronized Object put(Object name, Object value) {
            if (containsKey(name)) {
                twice.add(String.valueOf(name));
            }
            return super.put(name, value);
        }
    }
}

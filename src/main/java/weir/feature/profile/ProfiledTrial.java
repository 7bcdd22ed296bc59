package weir.feature.profile;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ObjLongConsumer;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import weir.measure.Count;
import weir.measure.LineReader;
import weir.results.RunFiles;
import weir.results.TrialFolder;
import weir.results.UnreadableRunException;
import weir.results.value.TrialResult;

/**
 * The profiles of one trial, stored in the folder of the trial, and the load while they were taken.
 *
 * @param records number of records acked or received in that time; 0 if they were not counted
 */
public record ProfiledTrial(Path folder, double seconds, long records, Contents contents) {
    private static final String FILE = "profiles.json";
    private static final int LONGEST = 1 << 18;

    private static final int MOST_STACKS = 1 << 20;
    private static final long MOST_CHARACTERS = 1L << 28;

    /**
     * The profiles by name.
     *
     * @param asked processes that were to be profiled
     * @param notes reasons why a profile is missing or differs from the request
     */
    public record Contents(List<String> asked, List<ProfileResult> profiles, List<String> notes) {
        public Contents {
            asked = List.copyOf(asked);
            profiles = List.copyOf(profiles);
            notes = List.copyOf(notes);
        }
    }

    public static List<ProfiledTrial> of(TrialFolder trial) {
        return trial.finished() ? of(trial, trial.result()) : List.of();
    }

    static List<ProfiledTrial> of(TrialFolder trial, TrialResult result) {
        if (!Files.exists(trial.path().resolve(FILE))) {
            return List.of();
        }
        long records = Stream.of(Count.ACKED, Count.RECEIVED)
                .map(result.figures()::count)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(0L);
        return List.of(new ProfiledTrial(trial.path(), result.seconds(), records, trial.stored(FILE, Contents.class)));
    }

    public static void write(Path folder, ProfileResult profile, Map<String, Long> stacks) {
        Path file = folder.resolve(profile.file());
        try (BufferedWriter writer = new BufferedWriter(
                new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8))) {
            for (Map.Entry<String, Long> stack : stacks.entrySet()) {
                writer.append(stack.getKey())
                        .append(' ')
                        .append(Long.toString(stack.getValue()))
                        .append('\n');
            }
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + file, e);
        }
    }

    /** Call this last, because the contents name files that must exist. */
    public static void write(Path folder, Contents contents) {
        RunFiles.put(folder.resolve(FILE), contents);
    }

    public void stacks(ProfileResult profile, ObjLongConsumer<String> out) {
        Path file = RunFiles.own(folder.resolve(profile.file()));
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file));
                LineReader lines = new LineReader(new InputStreamReader(in, StandardCharsets.UTF_8), LONGEST)) {
            long characters = 0;
            while (lines.next()) {
                String line = lines.line();
                characters += line.length();
                int space = line.lastIndexOf(' ');
                if (lines.number() > MOST_STACKS || characters > MOST_CHARACTERS) {
                    throw new UnreadableRunException(file + ": exceeds the maximum size of a profile's stacks");
                }
                if (space < 1) {
                    throw new UnreadableRunException(
                            file + " (line " + lines.number() + "): must be a stack followed by its weight");
                }
                out.accept(line.substring(0, space), weight(file, lines.number(), line.substring(space + 1)));
            }
        } catch (IOException e) {
            throw new UnreadableRunException(file + ": cannot be read: " + e.getMessage());
        }
    }

    private static long weight(Path file, int number, String text) {
        try {
            long weight = Long.parseLong(text);
            if (weight >= 0) {
                return weight;
            }
        } catch (NumberFormatException e) {
            // The error follows.
        }
        throw new UnreadableRunException(file + " (line " + number + "): '" + text + "' is not a weight");
    }
}

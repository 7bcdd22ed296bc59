package weir.feature.kubernetes;

import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import weir.feature.kubernetes.PodSets.Component;
import weir.time.MachineClock;

/**
 * The name and the namespace of a run in Kubernetes. The names of all objects of the run begin with this name.
 *
 * @param owner uid of the object that owns all other objects of the run; empty before this object exists
 */
public record RunIdentity(String name, String namespace, String owner) {
    static final String PROGRAM = "weir";
    static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    /** A StatefulSet adds 11 characters to a label of at most 63, for its revision. A set of pods adds up to 14. */
    private static final int LONGEST = 38;

    private static final int HASH = 8;
    private static final DateTimeFormatter BEGIN = DateTimeFormatter.ofPattern("MMddHHmmss");

    /** Replaces characters that Kubernetes does not accept. */
    public static RunIdentity of(String run, String namespace) {
        String plain =
                run.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        String name = plain.isEmpty() ? PROGRAM : PROGRAM + "-" + plain;
        if (name.length() > LONGEST) {
            CRC32 hash = new CRC32();
            hash.update(run.getBytes(StandardCharsets.UTF_8));
            String start = name.substring(0, LONGEST - HASH - 1).replaceAll("-$", "");
            name = start + "-" + String.format("%0" + HASH + "x", hash.getValue());
        }
        return new RunIdentity(name, namespace, "");
    }

    public static RunIdentity now(String experiment, String namespace) {
        return of(
                experiment + "-" + BEGIN.format(LocalDateTime.ofInstant(MachineClock.WALL.instant(), ZoneOffset.UTC)),
                namespace);
    }

    public RunIdentity ownedBy(String uid) {
        return new RunIdentity(name, namespace, uid);
    }

    Map<String, String> labels() {
        return new TreeMap<>(Map.of("app.kubernetes.io/name", PROGRAM, MANAGED_BY, PROGRAM, Component.INSTANCE, name));
    }
}

package weir.kubernetes;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * The name of a run in Kubernetes, with which the names of all its objects begin, and where they are.
 *
 * @param owner the uid of the object that owns the others; empty as long as nobody made it
 */
public record RunIdentity(String name, String namespace, String owner) {
    private static final String PROGRAM = "weir";

    /** A StatefulSet adds 11 characters for its revision to a label of at most 63, and a set of pods up to 14. */
    private static final int LONGEST = 38;

    private static final int HASH = 8;

    /** The name of a run, such as that of its folder, in the letters that Kubernetes takes. */
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

    /** The same, owned by an object that is there. */
    public RunIdentity ownedBy(String uid) {
        return new RunIdentity(name, namespace, uid);
    }

    /** The labels by which all objects of the run are found. */
    Map<String, String> labels() {
        return Map.of(
                "app.kubernetes.io/name", PROGRAM, "app.kubernetes.io/managed-by", PROGRAM, Component.INSTANCE, name);
    }
}

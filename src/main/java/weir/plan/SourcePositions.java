package weir.plan;

/** The places in a file where the values of an experiment were written. */
public interface SourcePositions {
    /** The problem with the value at a path of a variant, or of the whole experiment where that is empty. */
    Problem problem(String variant, String path, String message);

    /** The problem with the setting of a variant at a path, placed at the value or else the section around it. */
    default Problem problem(Variant variant, String path, String message) {
        return problem(variant.name(), path, message);
    }

    /** The same of what is said once for all variants. */
    default Problem problem(String path, String message) {
        return problem("", path, message);
    }
}

package weir.plan.syntax;

/** A word quoted for a shell command line. */
public final class ShellWord {
    private ShellWord() {}

    public static String of(String word) {
        return word.matches("[A-Za-z0-9_./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}

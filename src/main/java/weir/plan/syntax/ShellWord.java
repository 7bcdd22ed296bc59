package weir.plan.syntax;

/** A word of a command line, written so that a shell takes it as it is. */
public final class ShellWord {
    private ShellWord() {}

    public static String of(String word) {
        return word.matches("[A-Za-z0-9_./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}

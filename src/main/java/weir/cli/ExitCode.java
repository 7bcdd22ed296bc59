package weir.cli;

/** How a command ends; scripts rely on these numbers. */
final class ExitCode {
    static final int FINE = 0;
    static final int FAULT = 1;
    static final int USAGE = 2;
    static final int PREFLIGHT = 3;

    private ExitCode() {}
}

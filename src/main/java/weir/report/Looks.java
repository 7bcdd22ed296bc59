package weir.report;

/** The classes that give lines and dots their colours: Okabe and Ito's, told apart by most colour-blind eyes. */
final class Looks {
    private static final int COLOURS = 7;

    private Looks() {}

    static String of(int index) {
        return "c" + (index % COLOURS + 1);
    }
}

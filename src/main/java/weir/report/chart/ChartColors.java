package weir.report.chart;

/** The classes that give lines and dots their colours: Okabe and Ito's, told apart by most colour-blind eyes. */
public final class ChartColors {
    private static final int COLOURS = 7;

    private ChartColors() {}

    public static String of(int index) {
        return "c" + (index % COLOURS + 1);
    }
}

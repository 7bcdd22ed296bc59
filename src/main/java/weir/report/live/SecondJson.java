package weir.report.live;

import java.util.List;
import weir.measure.ProbeMetric;
import weir.report.TimeChart;
import weir.report.TrialClock;
import weir.report.chart.ChartJson;
import weir.results.ProbeReading;
import weir.results.WindowRow;

/** One second of a trial in all time charts, for the script of a page that shows the seconds before it. */
public final class SecondJson {
    private SecondJson() {}

    /**
     * The second of a window.
     *
     * @param number of the trial, and {@code trial} its label
     * @param readings those of this second
     */
    public static String of(
            int number, String trial, WindowRow row, List<ProbeReading> readings, List<ProbeMetric> drawn) {
        List<TimeChart> charts = TimeChart.of(new TrialClock(List.of(row), readings), drawn);
        ChartJson json = new ChartJson().object();
        json.name("number").value(number).name("trial").value(trial);
        json.name("x").value((int) row.second()).name("charts").object();
        for (int place = 0; place < charts.size(); place++) {
            List<TimeChart.Line> lines = charts.get(place).lines();
            if (!lines.isEmpty()) {
                json.name(TimeChart.id(place)).array();
                for (TimeChart.Line line : lines) {
                    json.array()
                            .value(line.name())
                            .value(line.look())
                            .value(line.values()[0])
                            .end();
                }
                json.end();
            }
        }
        return json.end().end().toString();
    }
}

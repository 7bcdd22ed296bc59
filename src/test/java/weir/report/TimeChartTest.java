package weir.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import weir.results.WindowRow;
import weir.results.WindowRows;

class TimeChartTest {
    @Test
    void noSecondOfASoakIsTakenForTheOneBefore() {
        WindowRow row = WindowRows.of(100_801, 2, 10, 10, 0, 10, Map.of(), 0, 0);
        assertThat(TimeChart.second(1, "a 1", row, List.of(), List.of())).contains("\"x\":100801,");
    }
}

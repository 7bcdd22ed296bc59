package weir.results;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The highest fixed rate that holds the limits, in operations per second.
 *
 * @param of the variant
 * @param rate the highest rate that held twice; null when none did
 * @param low the lower end of the 95 % interval; null when no rate held
 * @param high its upper end; null when nothing above was refused
 * @param reason what keeps it from being higher, or why it is not known
 */
public record CapacityResult(
        String of,
        List<String> limits,
        @Nullable Double rate,
        @Nullable Double low,
        @Nullable Double high,
        String reason,
        List<Tried> tried) {
    public CapacityResult {
        limits = List.copyOf(limits);
        tried = List.copyOf(tried);
    }
}

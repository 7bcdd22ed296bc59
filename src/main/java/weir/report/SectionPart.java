package weir.report;

import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import weir.feature.Feature;
import weir.report.block.Block;

/**
 * The blocks with which a feature begins a section of the report.
 *
 * @param section the id of the section
 * @param reads true for the source and the metric of a reading that it needs; charts over time do not draw such
 * readings
 * @param brief lines that a terminal shows after those of the section, if there is room
 */
public record SectionPart(
        String section,
        BiPredicate<String, String> reads,
        Function<RunView, List<Block>> page,
        Function<RunView, List<Block>> brief)
        implements Feature.Part {}

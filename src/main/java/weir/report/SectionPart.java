package weir.report;

import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import weir.feature.Feature;
import weir.report.block.Block;

/**
 * The blocks that a feature adds at the start of a section of the report.
 *
 * @param reads true for the source and the metric of a reading that the blocks show; charts over time omit the reading
 * @param brief lines for a terminal, after the lines of the section, if they fit
 */
public record SectionPart(
        String section,
        BiPredicate<String, String> reads,
        Function<RunView, List<Block>> page,
        Function<RunView, List<Block>> brief)
        implements Feature.Part {}

package weir.feature.waterfall;

import java.util.List;
import weir.feature.Feature;
import weir.report.Section.SectionPart;

/** The report section about the stages of requests: per step, over time, and in the slowest seconds. */
public final class WaterfallFeature implements Feature {
    @Override
    public List<Part> parts() {
        return List.of(
                new SectionPart("parts", TrialWaterfall::isPart, WaterfallSection::page, WaterfallSection::brief));
    }
}

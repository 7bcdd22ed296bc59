package weir.feature.partitions;

import java.util.List;
import weir.feature.Feature;
import weir.feature.SearchKind;
import weir.report.Section;

/** The number of partitions that carries a rate: {@code weir partitions}. */
public final class PartitionsFeature implements Feature {
    @Override
    public List<Class<?>> commands() {
        return List.of(PartitionsCommand.class);
    }

    @Override
    public List<SearchKind> searches() {
        return List.of(new PartitionsKind());
    }

    @Override
    public List<Section> sections() {
        return List.of(new Section(120, "partitions", "Partitions", PartitionsSection::page, PartitionsSection::brief));
    }
}

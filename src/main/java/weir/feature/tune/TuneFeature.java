package weir.feature.tune;

import java.util.List;
import weir.feature.Feature;
import weir.feature.SearchKind;
import weir.report.Section;

/** The client settings that no others beat in everything: {@code weir tune}. */
public final class TuneFeature implements Feature {
    @Override
    public List<Class<?>> commands() {
        return List.of(TuneCommand.class);
    }

    @Override
    public List<SearchKind> searches() {
        return List.of(new TuneKind());
    }

    @Override
    public List<Section> sections() {
        return List.of(new Section(110, "tune", "Settings", TuneSection::page, TuneSection::brief));
    }
}

package weir.feature.trend;

import java.util.List;
import weir.cli.RunExtension;
import weir.feature.Feature;

/** Lists of runs, and one experiment over all its runs. */
public final class TrendFeature implements Feature {
    @Override
    public List<Class<?>> commands() {
        return List.of(RunsCommand.class);
    }

    @Override
    public List<RunExtension> runExtensions() {
        return List.of(new HistoryOptions());
    }
}

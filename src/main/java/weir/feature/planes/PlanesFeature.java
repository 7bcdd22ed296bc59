package weir.feature.planes;

import java.util.List;
import weir.feature.Feature;

/** Lines of plane positions as values: {@code weir planes}. */
public final class PlanesFeature implements Feature {
    @Override
    public List<Class<?>> commands() {
        return List.of(PlanesCommand.class);
    }
}

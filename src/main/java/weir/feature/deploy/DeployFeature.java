package weir.feature.deploy;

import java.util.List;
import weir.feature.Feature;

/** Objects of Kubernetes and applications of Marathon that start a run; nothing is started here. */
public final class DeployFeature implements Feature {
    @Override
    public List<Class<?>> commands() {
        return List.of(DeployCommand.class);
    }
}

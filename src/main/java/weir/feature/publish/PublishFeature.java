package weir.feature.publish;

import java.util.List;
import weir.feature.Feature;

public final class PublishFeature implements Feature {
    @Override
    public List<Class<?>> commands() {
        return List.of(PublishCommand.class, VerifyCommand.class);
    }
}

package weir.feature.profile;

import java.util.List;
import weir.cli.RunExtension;
import weir.feature.Feature;

/** Profiles of the JVMs of a variant, in a trial of their own. */
public final class ProfileFeature implements Feature {
    @Override
    public List<RunExtension> runExtensions() {
        return List.of(new ProfileOption());
    }
}

package weir.feature.profile;

import java.util.List;
import weir.cli.RunExtension;
import weir.feature.Feature;
import weir.plan.trial.ExtraTrials;
import weir.report.Section;
import weir.run.lab.TrialCompanion;

/** Profiles of the JVMs of a variant, in a trial of their own. */
public final class ProfileFeature implements Feature {
    @Override
    public List<RunExtension> runExtensions() {
        return List.of(new ProfileOption());
    }

    @Override
    public List<Class<? extends Record>> forms() {
        return List.of(ProfileSpec.class);
    }

    @Override
    public List<ExtraTrials> extraTrials() {
        return List.of(new ProfiledTrials());
    }

    @Override
    public List<TrialCompanion.Maker> trialCompanions() {
        return List.of((stage, wall) ->
                TrialProfiles.attach(stage, (jvms, events, folder) -> JvmProfilers.attach(jvms, events, folder, wall)));
    }

    @Override
    public List<Section> sections() {
        return List.of(new Section(200, "profile", "Profile", ProfileSection::page, ProfileSection::brief));
    }
}

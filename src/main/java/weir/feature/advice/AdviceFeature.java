package weir.feature.advice;

import java.util.List;
import weir.feature.Feature;

/** Advice for a machine to measure on, for brokers and their hosts, and for what killed runs left: {@code weir doctor}. */
public final class AdviceFeature implements Feature {
    @Override
    public List<Class<?>> commands() {
        return List.of(DoctorCommand.class);
    }
}

package weir.feature;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** The features that a test needs although it stands elsewhere. A build without one of them skips the test. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsFeature.InThisBuild.class)
public @interface NeedsFeature {
    String[] value();

    final class InThisBuild implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            List<String> needed = AnnotationSupport.findAnnotation(context.getElement(), NeedsFeature.class)
                    .map(needs -> List.of(needs.value()))
                    .orElse(List.of());
            return needed.stream().allMatch(InThisBuild::has)
                    ? ConditionEvaluationResult.enabled("all features are there")
                    : ConditionEvaluationResult.disabled("this build lacks one of " + needed);
        }

        private static boolean has(String folder) {
            return Features.ALL.stream().anyMatch(feature -> feature.name().equals("weir.feature." + folder));
        }
    }
}

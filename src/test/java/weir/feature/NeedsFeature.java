package weir.feature;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * The features that a test outside of these features needs; without names all features of the napkin. A build without
 * one of these features skips the test.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsFeature.InThisBuild.class)
public @interface NeedsFeature {
    String[] value() default {};

    final class InThisBuild implements ExecutionCondition {
        private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z]+)` \\|");

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            List<String> lacking = AnnotationSupport.findAnnotation(context.getElement(), NeedsFeature.class)
                    .map(needs -> needs.value().length == 0 ? all() : List.of(needs.value()))
                    .orElse(List.of())
                    .stream()
                    .filter(feature -> Features.ALL.stream()
                            .noneMatch(built -> built.name().equals("weir.feature." + feature)))
                    .toList();
            return lacking.isEmpty()
                    ? ConditionEvaluationResult.enabled("all features are there")
                    : ConditionEvaluationResult.disabled("this build lacks " + lacking);
        }

        private static List<String> all() {
            try {
                return ROW.matcher(Files.readString(Path.of("docs/napkin.md")))
                        .results()
                        .map(row -> row.group(1))
                        .toList();
            } catch (IOException e) {
                throw new IllegalStateException("reading the napkin", e);
            }
        }
    }
}

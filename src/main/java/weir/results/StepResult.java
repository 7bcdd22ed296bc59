package weir.results;

import org.jspecify.annotations.Nullable;

/** One stage of a pace. {@code step} counts as in the windows: the first measured one is 2. A closed loop has no rate. */
public record StepResult(@Nullable Double rate, int step, String label, double from, double seconds, Figures figures) {}

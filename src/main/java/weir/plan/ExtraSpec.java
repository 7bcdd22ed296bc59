package weir.plan;

/**
 * A section that asks for extra trials, which run last and give no figures; features bring the forms. Its key {@code
 * variants} names variants, and {@code during} the rate of a step.
 */
public interface ExtraSpec {}

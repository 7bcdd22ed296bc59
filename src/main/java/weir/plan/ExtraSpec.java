package weir.plan;

/**
 * A section that requests extra trials, such as profiled trials. Extra trials run last and give no figures. The key
 * {@code variants} of the section names variants, and {@code during} names the rate of a step.
 */
public interface ExtraSpec {}

package weir.plan;

/**
 * A section of the file that asks for trials behind all others, from which no figure is taken; features bring the
 * forms. It may name {@code variants}, and the rate of a step as {@code during}.
 */
public interface ExtraSpec {}

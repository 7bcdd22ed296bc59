package weir.probe.profile;

import weir.plan.ProfileSpec;

/**
 * The stacks of one JVM that one event took, added up.
 *
 * @param tool that took them, with its version
 * @param engine by which it was woken: perf events, a timer, the JVM's sampler
 * @param kernel true when frames of the kernel have names
 * @param biased true when only some places of the code can be seen, and native threads not at all
 * @param perUnit the seconds, or bytes, that one unit of the stacks stands for
 * @param seconds for which it was looked at
 */
public record Profile(
        ProfileSpec.Event event,
        String tool,
        String engine,
        boolean kernel,
        boolean biased,
        double perUnit,
        double seconds,
        StackCounts stacks) {}

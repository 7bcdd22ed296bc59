package weir.feature.profile;

import java.util.regex.Pattern;

/**
 * A profile of one process by one event; its stacks stand in a file of their own.
 *
 * @param process that was looked at: broker-1, worker, gateway-1, channel
 * @param tool that took it, with its version
 * @param engine by which the tool was woken
 * @param kernel whether frames of the kernel have names
 * @param biased whether only some places of the code, and no native threads, could be seen
 * @param samples how often the tool looked
 * @param total the sum over all stacks, in their unit
 * @param sample the weight of a sample, weighted by itself
 * @param perUnit the seconds, or bytes, that one unit stands for
 */
public record ProfileResult(
        String process,
        ProfileSpec.Event event,
        String tool,
        String engine,
        boolean kernel,
        boolean biased,
        long samples,
        long total,
        double sample,
        double perUnit,
        double seconds) {
    private static final Pattern PROCESS = Pattern.compile("[a-z][a-z0-9-]{0,62}");

    public ProfileResult {
        if (!PROCESS.matcher(process).matches()) {
            throw new IllegalArgumentException("'" + process + "' is no name of a process");
        }
        if (samples < 0 || total < 0 || !(perUnit > 0) || !(sample > 0) || !(seconds >= 0)) {
            throw new IllegalArgumentException(
                    "a profile of " + samples + " samples, " + total + " units of " + perUnit);
        }
    }

    String file() {
        return process + "-" + event.word() + ".collapsed.gz";
    }
}

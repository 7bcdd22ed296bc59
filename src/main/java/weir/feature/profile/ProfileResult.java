package weir.feature.profile;

import java.util.regex.Pattern;

/**
 * A profile of one process by one event. Its stacks have their own file.
 *
 * @param process broker-1, worker, gateway-1, channel
 * @param tool with its version
 * @param engine of the tool's samples
 * @param kernel true if kernel frames have names
 * @param biased true if only some places of the code, and no native threads, are visible
 * @param samples number of samples
 * @param total sum over all stacks, in their unit
 * @param sample weight of a sample, weighted by itself
 * @param perUnit seconds or bytes of one unit
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
            throw new IllegalArgumentException("'" + process + "' is not the name of a process");
        }
        if (samples < 0 || total < 0 || !(perUnit > 0) || !(sample > 0) || !(seconds >= 0)) {
            throw new IllegalArgumentException("samples, total and unit of a profile must be above 0, found " + samples
                    + ", " + total + " and " + perUnit);
        }
    }

    String file() {
        return process + "-" + event.word() + ".collapsed.gz";
    }
}

package weir.feature.profile;

import java.util.regex.Pattern;

/**
 * A profile of one process by one kind of event. The stacks are in a separate file.
 *
 * @param process name of the process, such as broker-1, worker, gateway-1 or channel
 * @param tool name of the profiler with its version
 * @param engine sampling method of the tool
 * @param kernel true if frames of the kernel have names
 * @param biased true if the tool samples only some places of the code, and no native threads
 * @param total sum of the weights of all samples
 * @param sample typical weight of a sample: {@code Σw² / Σw} over the weights w of all samples
 * @param perUnit seconds or bytes in one unit of weight
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

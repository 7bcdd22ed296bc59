package weir.load.workload;

import java.nio.file.Path;
import weir.plan.ValueSpec.Each;

/** The values that a file holds, for all producers of a worker. Any thread reads. */
interface FileValues {
    static FileValues of(Path file, Each each) {
        return each instanceof Each.Delimited delimited
                ? new DelimitedValues(file, delimited.delimiter())
                : new FileOfValues(file, each);
    }

    long pieces();

    double meanBytes();

    byte[] piece(long number, Buffers buffers);
}

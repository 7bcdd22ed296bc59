package weir.worker;

import java.io.DataInput;
import java.io.IOException;
import java.util.List;
import weir.measure.LoadListener;
import weir.measure.Reading;
import weir.worker.link.LinkFrame;

/** The frames of a sample; one frame holds all readings of one sample. */
public final class ReadingFrames {
    private ReadingFrames() {}

    public static LinkFrame of(List<Reading> readings) {
        return LinkFrame.of(LinkFrame.Kind.READINGS, out -> {
            out.writeInt(readings.size());
            for (Reading reading : readings) {
                out.writeDouble(reading.second());
                out.writeUTF(reading.source());
                out.writeUTF(reading.metric());
                out.writeDouble(reading.value());
            }
        });
    }

    public static void forward(LinkFrame frame, LoadListener listener) throws IOException {
        DataInput in = frame.content();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            listener.reading(new Reading(in.readDouble(), in.readUTF(), in.readUTF(), in.readDouble()));
        }
    }
}

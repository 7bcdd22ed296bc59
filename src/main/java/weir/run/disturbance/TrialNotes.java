package weir.run.disturbance;

import weir.measure.Reading;

/** A receiver of marks on a trial's time axis and of current readings. */
public interface TrialNotes {
    void mark(long nanos, String name, String text);

    void reading(String source, String metric, double value);

    void reading(Reading reading);
}

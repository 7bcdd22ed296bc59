package weir.pace;

import java.util.function.Supplier;

/** A schedule whose n-th due time is known in closed form, so that a share is every so-many-th operation. */
final class ClosedFormSchedule implements Schedule {
    private final Supplier<Form> forms;
    private final Form form;
    private final long operations;
    private final long stride;
    private long n;

    /** The due times of the operations of the whole. */
    interface Form {
        /** When operation {@code n} is due, or NEVER; asked in ascending order. */
        long due(long n);

        /** The step of the operation that was asked for last. */
        default int step() {
            return 0;
        }
    }

    /** {@code forms} makes one for each share, {@code operations} are the most that the whole has. */
    ClosedFormSchedule(Supplier<Form> forms, long operations) {
        this(forms, operations, 0, 1);
    }

    private ClosedFormSchedule(Supplier<Form> forms, long operations, long first, long stride) {
        this.forms = forms;
        this.form = forms.get();
        this.operations = operations;
        this.n = first;
        this.stride = stride;
    }

    @Override
    public long next() {
        if (n >= operations) {
            return NEVER;
        }
        long due = form.due(n);
        n += stride;
        return due;
    }

    @Override
    public int step() {
        return form.step();
    }

    @Override
    public Schedule share(int index, int of) {
        if (index < 0 || index >= of) {
            throw new IllegalArgumentException("share " + index + " of " + of + " is none of them");
        }
        return part(n + index * stride, stride * of);
    }

    Schedule part(long first, long each) {
        return new ClosedFormSchedule(forms, operations, first, each);
    }
}

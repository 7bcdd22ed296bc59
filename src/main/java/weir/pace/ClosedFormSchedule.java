package weir.pace;

import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * A schedule with a formula for each due time, which is called with ascending numbers of operations. With four shares,
 * each share takes every fourth operation.
 */
final class ClosedFormSchedule implements Schedule {
    private final Supplier<LongUnaryOperator> forms;
    private final LongUnaryOperator form;
    private final long operations;
    private final long stride;
    private long n;

    ClosedFormSchedule(Supplier<LongUnaryOperator> forms, long operations) {
        this(forms, operations, 0, 1);
    }

    private ClosedFormSchedule(Supplier<LongUnaryOperator> forms, long operations, long first, long stride) {
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
        long due = form.applyAsLong(n);
        n += stride;
        return due;
    }

    @Override
    public Schedule share(int index, int of) {
        if (index < 0 || index >= of) {
            throw new IllegalArgumentException("share " + index + " must be below " + of);
        }
        return part(n + index * stride, stride * of);
    }

    Schedule part(long first, long each) {
        return new ClosedFormSchedule(forms, operations, first, each);
    }
}

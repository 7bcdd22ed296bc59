package weir.report.profile;

import java.util.function.Supplier;

/** The place of the pages that stand beside a report. */
public interface FlamePages {
    /** The pages of a report that is looked at where no file stands beside it: none is made. */
    FlamePages NONE = new FlamePages() {
        @Override
        public boolean kept() {
            return false;
        }

        @Override
        public void put(String file, Supplier<String> page) {
            // Nobody could open it.
        }
    };

    /** True where a link finds them. */
    boolean kept();

    /** Takes a page at once, which is not made where none is kept. */
    void put(String file, Supplier<String> page);
}

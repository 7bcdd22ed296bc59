package weir.report.profile;

import java.util.function.Supplier;

/** The place of the pages that stand beside a report. */
public interface FlamePages {
    FlamePages NONE = new FlamePages() {
        @Override
        public boolean kept() {
            return false;
        }

        @Override
        public void put(String file, Supplier<String> page) {}
    };

    /** True if links to the pages work. */
    boolean kept();

    /** Stores a page at once; does not make it if pages are not kept. */
    void put(String file, Supplier<String> page);
}

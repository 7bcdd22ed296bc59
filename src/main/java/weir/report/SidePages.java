package weir.report;

import java.util.function.Supplier;

/** The place of the pages that stand beside a report. */
public interface SidePages {
    SidePages NONE = new SidePages() {
        @Override
        public boolean kept() {
            return false;
        }

        @Override
        public void put(String file, Supplier<String> page) {}

        @Override
        public void afterwards(Runnable act) {}
    };

    /** True if links to the pages work. */
    boolean kept();

    /** Stores a page at once; does not make it if pages are not kept. */
    void put(String file, Supplier<String> page);

    /** Runs this when the report that links to the pages is written; not if pages are not kept. */
    void afterwards(Runnable act);
}

package weir.report;

import java.util.function.Supplier;

/** A store of additional pages to which a report links. */
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

    /** True if the additional pages are stored, so that links to them work. */
    boolean kept();

    /** Makes and stores a page immediately; does nothing if pages are not stored. */
    void put(String file, Supplier<String> page);

    /** Runs {@code act} after the report that links to the pages is written; does nothing if pages are not stored. */
    void afterwards(Runnable act);
}

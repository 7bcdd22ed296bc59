package weir.results.value;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The answers of a run's searches. The answers of one kind of search are in the order of the variants. */
public record SearchResults(List<SearchResult> all) {
    public static final SearchResults NONE = new SearchResults(List.of());

    public SearchResults {
        all = List.copyOf(all);
    }

    public List<CapacityResult> capacities() {
        return of(CapacityResult.class);
    }

    public <R extends SearchResult> List<R> of(Class<R> kind) {
        return all.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    public SearchResults with(SearchResult found) {
        Predicate<SearchResult> same =
                each -> each.getClass() == found.getClass() && each.of().equals(found.of());
        List<SearchResult> more = new ArrayList<>(all);
        if (all.stream().anyMatch(same)) {
            more.replaceAll(each -> same.test(each) ? found : each);
        } else {
            more.add(found);
        }
        return new SearchResults(more);
    }

    public int tried() {
        return all.stream().mapToInt(result -> result.tried().size()).sum();
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** The current answer of a search that chooses its own trials. */
    public interface SearchResult {
        String of();

        List<Attempt> tried();
    }

    /**
     * The number that a search found, with its 95 % interval.
     *
     * @param open true for an untried number, which decides no expectation
     * @param written the number and its interval as text
     * @param shown the number without its interval; {@code note} is the text below it
     */
    public record SearchAnswer(
            String of,
            @Nullable Double value,
            @Nullable Double low,
            @Nullable Double high,
            boolean open,
            String written,
            String shown,
            String note,
            String reason) {}
}

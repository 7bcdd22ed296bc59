package weir.feature.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.event.EventAttributes;
import weir.feature.delivery.NextHop.EventPredicate;
import weir.feature.delivery.PathSpec.EventFilter;
import weir.feature.delivery.PathSpec.EventFilter.All;
import weir.feature.delivery.PathSpec.EventFilter.Any;
import weir.feature.delivery.PathSpec.EventFilter.Exact;
import weir.feature.delivery.PathSpec.EventFilter.Not;
import weir.feature.delivery.PathSpec.EventFilter.Prefix;
import weir.feature.delivery.PathSpec.EventFilter.Suffix;

/** Filters as the Subscriptions API of CloudEvents 1.0 means them (3.2.4.1). */
class EventPredicateTest {
    private static final EventFilter YES = new Exact(attribute("type", "com.example.order"));
    private static final EventFilter NO = new Exact(attribute("type", "other"));

    private static EventAttributes event() throws Exception {
        EventAttributes attributes = new EventAttributes();
        attributes.fromHttp("ce-type", "com.example.order");
        attributes.fromHttp("ce-source", "/shop/eu");
        attributes.fromHttp("ce-subject", "Caf%C3%A9 %22x%22");
        attributes.fromHttp("ce-quoted", "\"a b\"");
        attributes.fromHttp("ce-long", "y".repeat(3_000));
        attributes.fromHttp("content-type", "text/plain");
        return attributes;
    }

    private static SortedMap<String, String> attribute(String name, String value) {
        return new TreeMap<>(Map.of(name, value));
    }

    private static boolean passes(EventFilter filter) throws Exception {
        return new EventPredicate(filter).test(event());
    }

    @ParameterizedTest
    @CsvSource({
        "type, com.example.order, true",
        "type, com.example.Order, false",
        "type, com.example, false",
        "type, com.example.order2, false",
        "missing, x, false",
        "subject, 'Café \"x\"', true",
        "subject, Caf%C3%A9 %22x%22, false",
        "quoted, a b, true",
        "datacontenttype, text/plain, true",
        "content-type, text/plain, false",
    })
    void exactIsTheWholeValueAsItIsMeant(String attribute, String value, boolean expected) throws Exception {
        assertThat(passes(new Exact(attribute(attribute, value)))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "type, com., true",
        "type, com.example.order, true",
        "type, com.example.order., false",
        "type, order, false",
        "subject, Café, true",
        "subject, Cafe, false",
        "long, yyy, true",
        "missing, x, false",
    })
    void prefixIsTheBeginning(String attribute, String value, boolean expected) throws Exception {
        assertThat(passes(new Prefix(attribute(attribute, value)))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "type, .order, true",
        "type, com.example.order, true",
        "type, xcom.example.order, false",
        "type, com, false",
        "source, eu, true",
        "subject, '\"x\"', true",
        "long, yyy, true",
        "missing, x, false",
    })
    void suffixIsTheEnd(String attribute, String value, boolean expected) throws Exception {
        assertThat(passes(new Suffix(attribute(attribute, value)))).isEqualTo(expected);
    }

    @Test
    void filtersAreNested() throws Exception {
        assertThat(passes(new All(List.of(YES, YES)))).isTrue();
        assertThat(passes(new All(List.of(YES, NO)))).isFalse();
        assertThat(passes(new Any(List.of(NO, YES)))).isTrue();
        assertThat(passes(new Any(List.of(NO, NO)))).isFalse();
        assertThat(passes(new Not(NO))).isTrue();
        assertThat(passes(new Not(YES))).isFalse();
        assertThat(passes(new Not(new Exact(attribute("missing", "x"))))).isTrue();
        assertThat(passes(new All(List.of(
                        new Any(List.of(NO, new Prefix(attribute("source", "/shop")))), new Not(NO)))))
                .isTrue();
        assertThat(passes(new All(List.of()))).isTrue();
    }

    @Test
    void everyFormIsHere() {
        Set<Class<?>> forms = new HashSet<>(List.of(EventFilter.class.getPermittedSubclasses()));
        assertThat(forms)
                .containsExactlyInAnyOrder(Exact.class, Prefix.class, Suffix.class, All.class, Any.class, Not.class);
    }
}

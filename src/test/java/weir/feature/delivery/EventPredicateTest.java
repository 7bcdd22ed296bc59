package weir.feature.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.event.EventAttributes;
import weir.feature.delivery.NextHop.EventPredicate;
import weir.plan.DispatchSpec.EventFilter;
import weir.plan.DispatchSpec.EventFilter.All;
import weir.plan.DispatchSpec.EventFilter.Any;
import weir.plan.DispatchSpec.EventFilter.Exact;
import weir.plan.DispatchSpec.EventFilter.Not;
import weir.plan.DispatchSpec.EventFilter.Prefix;
import weir.plan.DispatchSpec.EventFilter.Suffix;

/** Filters as the Subscriptions API of CloudEvents 1.0 means them (3.2.4.1). */
class EventPredicateTest {
    private static final EventFilter YES = new Exact("type", "com.example.order");
    private static final EventFilter NO = new Exact("type", "other");

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
        assertThat(passes(new Exact(attribute, value))).isEqualTo(expected);
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
        assertThat(passes(new Prefix(attribute, value))).isEqualTo(expected);
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
        assertThat(passes(new Suffix(attribute, value))).isEqualTo(expected);
    }

    @Test
    void filtersAreNested() throws Exception {
        assertThat(passes(new All(List.of(YES, YES)))).isTrue();
        assertThat(passes(new All(List.of(YES, NO)))).isFalse();
        assertThat(passes(new Any(List.of(NO, YES)))).isTrue();
        assertThat(passes(new Any(List.of(NO, NO)))).isFalse();
        assertThat(passes(new Not(NO))).isTrue();
        assertThat(passes(new Not(YES))).isFalse();
        assertThat(passes(new Not(new Exact("missing", "x")))).isTrue();
        assertThat(passes(new All(List.of(new Any(List.of(NO, new Prefix("source", "/shop"))), new Not(NO)))))
                .isTrue();
        assertThat(passes(EventFilter.NONE)).isTrue();
    }

    @Test
    void everyFormIsHere() {
        Set<Class<?>> forms = new HashSet<>(List.of(EventFilter.class.getPermittedSubclasses()));
        assertThat(forms)
                .containsExactlyInAnyOrder(Exact.class, Prefix.class, Suffix.class, All.class, Any.class, Not.class);
    }
}

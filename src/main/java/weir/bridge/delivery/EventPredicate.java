package weir.bridge.delivery;

import java.nio.charset.StandardCharsets;
import java.util.List;
import weir.event.EventAttributes;
import weir.plan.DispatchSpec.EventFilter;

/** A filter, made ready to test many events. Belongs to one thread. */
final class EventPredicate {
    /** A longer value costs a text of its own. */
    private static final int SCRATCH = 1_024;

    private final Test test;
    private final byte[] scratch = new byte[SCRATCH];

    EventPredicate(EventFilter filter) {
        this.test = compile(filter);
    }

    boolean test(EventAttributes event) {
        return test.passes(event);
    }

    private interface Test {
        boolean passes(EventAttributes event);
    }

    private Test compile(EventFilter filter) {
        if (filter instanceof EventFilter.Exact exact) {
            return value(
                    exact.attribute(),
                    exact.value(),
                    String::equals,
                    (wanted, value, length) -> length == wanted.length && matches(wanted, value, 0));
        }
        if (filter instanceof EventFilter.Prefix prefix) {
            return value(
                    prefix.attribute(),
                    prefix.value(),
                    String::startsWith,
                    (wanted, value, length) -> length >= wanted.length && matches(wanted, value, 0));
        }
        if (filter instanceof EventFilter.Suffix suffix) {
            return value(
                    suffix.attribute(),
                    suffix.value(),
                    String::endsWith,
                    (wanted, value, length) ->
                            length >= wanted.length && matches(wanted, value, length - wanted.length));
        }
        if (filter instanceof EventFilter.All all) {
            Test[] tests = compile(all.filters());
            return event -> {
                for (Test each : tests) {
                    if (!each.passes(event)) {
                        return false;
                    }
                }
                return true;
            };
        }
        if (filter instanceof EventFilter.Any any) {
            Test[] tests = compile(any.filters());
            return event -> {
                for (Test each : tests) {
                    if (each.passes(event)) {
                        return true;
                    }
                }
                return false;
            };
        }
        if (filter instanceof EventFilter.Not not) {
            Test refused = compile(not.filter());
            return event -> !refused.passes(event);
        }
        throw new AssertionError("no such filter: " + filter);
    }

    private Test[] compile(List<EventFilter> filters) {
        return filters.stream().map(this::compile).toArray(Test[]::new);
    }

    private interface OfTexts {
        boolean test(String value, String wanted);
    }

    private interface OfBytes {
        boolean test(byte[] wanted, byte[] value, int length);
    }

    private Test value(String attribute, String wanted, OfTexts texts, OfBytes bytes) {
        byte[] wantedBytes = wanted.getBytes(StandardCharsets.UTF_8);
        return event -> {
            int length = event.copy(attribute, scratch);
            if (length >= 0 && plain(length)) {
                return bytes.test(wantedBytes, scratch, length);
            }
            String value = event.value(attribute);
            return value != null && texts.test(value, wanted);
        };
    }

    /** True when the value stands there as it is meant: nothing is encoded, in quotes, or other than ASCII. */
    private boolean plain(int length) {
        for (int i = 0; i < length; i++) {
            byte each = scratch[i];
            if (each == '%' || each == '"' || each < 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean matches(byte[] wanted, byte[] value, int from) {
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i] != value[from + i]) {
                return false;
            }
        }
        return true;
    }
}

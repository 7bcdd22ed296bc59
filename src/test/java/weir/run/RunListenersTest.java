package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RunListenersTest {
    /** A listener that writes down what it hears, and agrees. */
    private static RunListener writing(String name, List<String> heard) {
        return (RunListener) Proxy.newProxyInstance(
                RunListener.class.getClassLoader(), new Class<?>[] {RunListener.class}, (proxy, method, arguments) -> {
                    heard.add(name + " " + method.getName());
                    return method.getReturnType() == boolean.class ? true : null;
                });
    }

    @Test
    void aWatchThatFailsIsToldOfOnceAndFailsNothing() {
        List<String> notes = new ArrayList<>();
        RunListener user = new RunListener() {
            @Override
            public boolean agrees(String question) {
                return true;
            }

            @Override
            public void note(String text) {
                notes.add(text);
            }
        };
        AtomicInteger asked = new AtomicInteger();
        RunListener broken = (RunListener) Proxy.newProxyInstance(
                RunListener.class.getClassLoader(), new Class<?>[] {RunListener.class}, (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return proxy == arguments[0];
                    }
                    asked.incrementAndGet();
                    throw new IllegalStateException("planted");
                });
        List<String> heard = new ArrayList<>();
        RunListeners all = new RunListeners(user, List.of(broken, writing("other", heard)));
        all.each(listener -> listener.unfinished("weir run e.yaml"));
        all.each(listener -> listener.unfinished("weir run e.yaml"));
        assertThat(asked).hasValue(1);
        assertThat(heard).hasSize(2);
        assertThat(notes.stream().filter(note -> note.contains("planted")))
                .singleElement()
                .asString()
                .startsWith("a watch of the run failed");
    }

    @Test
    void listenersAreCalledInTheirOrderAndTheFirstAloneIsAsked() {
        List<String> heard = new ArrayList<>();
        RunListeners all = new RunListeners(writing("first", heard), List.of(writing("second", heard)));
        all.note("so far");
        assertThat(all.agrees("Go on?")).isTrue();
        assertThat(heard).containsExactly("first note", "second note", "first agrees");
    }
}

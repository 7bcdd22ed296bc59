package weir;

import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/** Rows of docs/reference/known-to-work.md that a test proves: each a kind, a colon and what works. */
@Target(ElementType.METHOD)
public @interface KnownToWork {
    String[] value();
}

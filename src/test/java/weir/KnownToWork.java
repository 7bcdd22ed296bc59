package weir;

import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/** Rows of docs/reference/known-to-work.md that a test proves. A row is a kind, a colon and the working thing. */
@Target(ElementType.METHOD)
public @interface KnownToWork {
    String[] value();
}

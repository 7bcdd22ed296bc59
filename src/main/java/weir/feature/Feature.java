package weir.feature;

import java.util.List;

/**
 * An ability of Weir, with all its code and texts in one package. {@link Features#ALL} lists the features. Packages
 * outside of {@code feature} ask {@link Features} for parts of a kind and name no feature. A feature adds rows to
 * {@code keys.yaml}, {@code words.yaml} and {@code caveats.yaml} by files of the same names in its package.
 */
public interface Feature {
    /** A part of a feature. Each kind of part is an interface or a record in the package that asks for these parts. */
    interface Part {}

    static Feature of(Class<?> command) {
        return new Feature() {
            @Override
            public String name() {
                return command.getPackageName();
            }

            @Override
            public List<Class<?>> commands() {
                return List.of(command);
            }
        };
    }

    /** Returns the full name of the feature's package. */
    default String name() {
        return getClass().getPackageName();
    }

    /** Returns the picocli classes of the feature's commands. */
    default List<Class<?>> commands() {
        return List.of();
    }

    /** Returns new objects for options of other commands. Weir makes all options before any other part. */
    default List<Part> options() {
        return List.of();
    }

    /** Returns records that implement interfaces outside of {@code feature}, such as {@link weir.plan.BridgeSpec}. */
    default List<Class<? extends Record>> forms() {
        return List.of();
    }

    /** Returns all other parts. A feature that implements a kind of part is itself a part and is not in this list. */
    default List<Part> parts() {
        return List.of();
    }
}

package weir.feature;

import java.util.List;

/**
 * One ability of Weir, with all its code in one package. {@link Features#ALL} lists the features. Packages outside of
 * {@code feature} ask this list for parts of a type, and name no feature. Rows in {@code keys.yaml}, {@code words.yaml}
 * and {@code caveats.yaml} of a feature's package extend Weir's files of these names.
 */
public interface Feature {
    /** A part of a feature. The package that uses a kind of part defines it as an interface or a record. */
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

    default String name() {
        return getClass().getPackageName();
    }

    default List<Class<?>> commands() {
        return List.of();
    }

    /** Returns new objects for options of other commands. Weir makes all options before any other part. */
    default List<Part> options() {
        return List.of();
    }

    /** The feature's records in sealed families of other packages, such as {@link weir.plan.BridgeSpec}. */
    default List<Class<? extends Record>> forms() {
        return List.of();
    }

    /** All other parts of the feature. A feature that implements a kind is a part itself and is not listed. */
    default List<Part> parts() {
        return List.of();
    }
}

package weir.feature;

import java.util.List;

/**
 * One ability of Weir and everything that belongs to it, in one package. {@link Features#ALL} lists the features. The
 * packages outside of {@code feature} ask that list for parts of a kind and name no feature. A feature adds rows to
 * {@code keys.yaml}, {@code words.yaml} and {@code caveats.yaml} by resources of these names in its package.
 */
public interface Feature {
    /** A part of a feature. Each kind of part is an interface or a record in the package that uses it. */
    interface Part {}

    /** Returns a feature that is one command. */
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

    /** Returns the package of the feature. */
    default String name() {
        return getClass().getPackageName();
    }

    /** Classes of commands of {@code weir}, annotated for picocli. */
    default List<Class<?>> commands() {
        return List.of();
    }

    /** New options for one command of the rooms. All commands and options are made before any other part is needed. */
    default List<Part> options() {
        return List.of();
    }

    /** The records with which the feature extends families of the rooms, such as {@link weir.plan.BridgeSpec}. */
    default List<Class<? extends Record>> forms() {
        return List.of();
    }

    /** All other parts of the feature. A feature that implements a kind is itself a part and is not listed. */
    default List<Part> parts() {
        return List.of();
    }
}

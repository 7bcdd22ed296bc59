package weir.feature;

import java.util.List;

/**
 * One ability of Weir and everything that belongs to it, in one package. {@link Features#ALL} lists the features; the
 * rooms of the spine ask that list for parts of a kind and name no feature. Its rows for {@code keys.yaml}, {@code
 * words.yaml} and {@code caveats.yaml} are in resources of these names beside its class.
 */
public interface Feature {
    /** A part of a feature. A kind of parts is an interface or a record of the room that asks for it. */
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

    /** Commands of weir, as picocli annotates them. */
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

    /** All other parts of the feature, which is one itself if it implements a kind. */
    default List<Part> parts() {
        return List.of();
    }
}

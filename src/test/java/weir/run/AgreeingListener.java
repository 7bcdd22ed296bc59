package weir.run;

/** A listener that agrees to every action on an external cluster. */
public interface AgreeingListener extends RunListener {
    @Override
    default boolean agrees(String question) {
        return true;
    }
}

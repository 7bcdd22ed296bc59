package weir.run.disturbance;

/** A disturbance of a trial: how it begins, and how it is undone. */
interface Disturbance {
    /** Makes ready what is asked for, and says what that comes to here and now. */
    String announced();

    void begin();

    /** Undoes it. */
    void end();

    /** The act that undid it, to be marked; empty where its end says all. */
    default String undone() {
        return "";
    }

    /** True when nothing of it is left once the brokers are gone. */
    default boolean endsWithBrokers() {
        return false;
    }
}

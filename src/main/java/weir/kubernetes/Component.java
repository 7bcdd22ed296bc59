package weir.kubernetes;

import weir.plan.EnumNames;

/** The part of a run that a pod is for. */
public enum Component {
    CONDUCTOR,
    BROKER,
    LOAD,
    GATEWAY,
    STRESS,
    COMMAND;

    static final String INSTANCE = "app.kubernetes.io/instance";
    static final String LABEL = "app.kubernetes.io/component";

    String word() {
        return EnumNames.of(this);
    }
}

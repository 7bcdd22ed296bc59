package weir.feature.kubernetes;

import weir.plan.EnumNames;

/** The role of a pod in a run. */
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

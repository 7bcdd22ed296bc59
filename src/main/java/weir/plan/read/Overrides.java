package weir.plan.read;

import java.util.List;

/**
 * The values of the command line that override an experiment file. Empty texts and lists mean "not given".
 *
 * @param set {@code path=value} of every {@code --set}
 * @param client {@code name=value} of every {@code -X}
 * @param bootstrap the cluster of {@code --bootstrap-server}
 * @param commandConfig the properties file of {@code --command-config}
 * @param only the variants of {@code --only}; the name of a variant with a grid stands for all variants of the grid
 * @param scale the factor of {@code --scale} for each rate of the file
 */
public record Overrides(
        List<String> set,
        List<String> client,
        String bootstrap,
        String commandConfig,
        List<String> only,
        boolean shortened,
        double scale) {
    public static final Overrides NONE = new Overrides(List.of(), List.of(), "", "", List.of(), false);
    public static final Overrides SHORT = new Overrides(List.of(), List.of(), "", "", List.of(), true);

    public Overrides(
            List<String> set,
            List<String> client,
            String bootstrap,
            String commandConfig,
            List<String> only,
            boolean shortened) {
        this(set, client, bootstrap, commandConfig, only, shortened, 1);
    }

    public Overrides {
        set = List.copyOf(set);
        client = List.copyOf(client);
        only = List.copyOf(only);
    }
}

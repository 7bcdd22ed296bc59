package weir.cluster.start;

import weir.host.Children;
import weir.host.LocalPlace;
import weir.host.Place;

/**
 * A machine on which nodes are started.
 *
 * @param address the IP address at which clients of its nodes reach it
 */
public record NodePlace(Place place, String address) {
    public interface Choice {
        Choice HERE = (number, here) -> here;

        /**
         * The machine of a node.
         *
         * @param number of a broker, or of a controller of its own, each counted from 0
         */
        NodePlace of(int number, NodePlace here);
    }

    static NodePlace here(Children children, String address) {
        return new NodePlace(new LocalPlace(children), address);
    }

    boolean elsewhere() {
        return !place.host().isEmpty();
    }
}

package weir.cluster.admin;

import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.StartTimeouts;
import weir.plan.property.Property;

/** The deletion of consumer groups that Weir made. */
public record ConsumerGroups(Cluster cluster, AdminAnswers answers, StartTimeouts timeout) {
    /** Returns the properties of a group, most of which the brokers set; none, and a remark, if the user lacks the right. */
    public List<Property> properties(String name, Consumer<String> unknown) {
        try {
            return new DescribedConfigs(answers).ofGroup(name);
        } catch (AuthorizationException e) {
            unknown.accept("the properties of group '" + name + "' are unknown: " + e.getMessage()
                    + " The right DESCRIBE_CONFIGS on the group shows them.");
            return List.of();
        }
    }

    /**
     * Deletes a group with its offsets, and waits until the group is gone. Killed members are removed, or their
     * sessions must end first.
     *
     * @return false if the user lacks the right; the group then stays until Kafka expires it
     */
    public boolean delete(String name) {
        String missing = new Coordinators(cluster).missing(Coordinators.Kind.GROUP, name, timeout.limit());
        if (!missing.isEmpty()) {
            throw new ClusterUnavailable("group '" + name + "' could not be deleted: " + missing);
        }
        try {
            timeout.until("the deletion of group '" + name + "', which still has members", () -> gone(name));
            return true;
        } catch (AuthorizationException e) {
            return false;
        } catch (KafkaException e) {
            throw new ClusterUnavailable("group '" + name + "' could not be deleted: " + e.getMessage(), e);
        }
    }

    private boolean gone(String name) {
        try {
            answers.to(
                    "the deletion of group " + name,
                    admin -> admin.deleteConsumerGroups(List.of(name)).all());
            return true;
        } catch (GroupIdNotFoundException never) {
            return true;
        } catch (GroupNotEmptyException members) {
            removeMembers(name);
            return false;
        }
    }

    private void removeMembers(String name) {
        try {
            answers.once(
                    "the end of the members of group " + name,
                    admin -> admin.removeMembersFromConsumerGroup(name, new RemoveMembersFromConsumerGroupOptions())
                            .all());
        } catch (KafkaException notOfThisProtocol) {
            // The next attempt to delete the group shows if this matters.
        }
    }
}

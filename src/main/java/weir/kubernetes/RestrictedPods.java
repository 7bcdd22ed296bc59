package weir.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.List;
import java.util.Map;
import weir.probe.MachineFacts;

/** Pods that the Pod Security Standard "restricted" admits: no root, no privileges, nothing written but to their volumes. */
final class RestrictedPods {
    static final String STATE = "state";

    /** The home of the user: what is cached, the state of brokers, the folders of runs. */
    static final String HOME = "/var/lib/weir";

    private static final long USER = 1000;
    private static final String TMP = "tmp";

    private RestrictedPods() {}

    /** With an empty folder for temporary files; what else is mounted needs a volume. */
    static PodSpecBuilder pod(Container container, Map<String, String> nodes, long graceSeconds) {
        return new PodSpecBuilder()
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withTerminationGracePeriodSeconds(graceSeconds)
                .withNodeSelector(nodes.isEmpty() ? null : nodes)
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withRunAsUser(USER)
                .withRunAsGroup(USER)
                .withFsGroup(USER)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .withContainers(container)
                .withVolumes(empty(TMP));
    }

    static ContainerBuilder container(String name, String image, List<String> arguments) {
        return new ContainerBuilder()
                .withName(name)
                .withImage(image)
                .withImagePullPolicy("IfNotPresent")
                // The conductor may not read logs, and tells why an agent has ended.
                .withTerminationMessagePolicy("FallbackToLogsOnError")
                .withArgs(arguments)
                .addToEnv(variable("HOME", HOME), field(MachineFacts.NODE, "spec.nodeName"))
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .withReadOnlyRootFilesystem(true)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .endSecurityContext()
                .withVolumeMounts(mount(TMP, "/tmp", false), mount(STATE, HOME, false));
    }

    static EnvVar variable(String name, String value) {
        return new EnvVarBuilder().withName(name).withValue(value).build();
    }

    /** An environment variable that holds a field of the pod. */
    static EnvVar field(String name, String path) {
        return new EnvVarBuilder()
                .withName(name)
                .withNewValueFrom()
                .withNewFieldRef()
                .withFieldPath(path)
                .endFieldRef()
                .endValueFrom()
                .build();
    }

    static VolumeMount mount(String volume, String path, boolean readOnly) {
        VolumeMountBuilder mount = new VolumeMountBuilder().withName(volume).withMountPath(path);
        return (readOnly ? mount.withReadOnly(true) : mount).build();
    }

    /** An empty folder on the disk of the node, which goes with the pod. */
    static Volume empty(String name) {
        return new VolumeBuilder()
                .withName(name)
                .withNewEmptyDir()
                .endEmptyDir()
                .build();
    }

    /** Some entries of a Secret, as files that the user alone can read. */
    static Volume secret(String volume, String name, Iterable<String> keys) {
        VolumeBuilder built = new VolumeBuilder().withName(volume);
        var source = built.withNewSecret().withSecretName(name).withDefaultMode(0440);
        for (String key : keys) {
            source.addNewItem().withKey(key).withPath(key).endItem();
        }
        return source.endSecret().build();
    }
}

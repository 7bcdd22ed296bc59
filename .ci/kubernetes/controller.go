package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	class      = "weir-local"
	crowdLabel = "weir/crowd"
	selected   = "volume.kubernetes.io/selected-node"
	// Where a node has the volumes; on the machine it is below the directory of the node.
	volumes = "lib/weir/volumes"
)

// What a cloud would do for the cluster: it makes the volumes of claims, and renews the leases of the nodes of the crowd.
type bedController struct {
	client    kubernetes.Interface
	directory string
}

// With the arguments DIR it runs until it is killed; with DIR crowd N it makes or deletes nodes until the crowd has N.
func controller(args []string) error {
	config, err := clientcmd.BuildConfigFromFlags("", filepath.Join(args[0], "kubeconfig"))
	if err != nil {
		return err
	}
	config.QPS = -1
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	bed := bedController{client, args[0]}
	if len(args) == 3 && args[1] == "crowd" {
		count, err := strconv.Atoi(args[2])
		if err != nil {
			return err
		}
		return bed.crowd(context.Background(), count)
	}
	return bed.run(context.Background())
}

func (c bedController) run(ctx context.Context) error {
	// What did not work is tried again every five seconds.
	factory := informers.NewSharedInformerFactory(c.client, 5*time.Second)
	onChange(factory.Core().V1().PersistentVolumeClaims().Informer(), func(claim *core.PersistentVolumeClaim) error {
		return c.provision(ctx, claim)
	})
	onChange(factory.Core().V1().PersistentVolumes().Informer(), func(volume *core.PersistentVolume) error {
		return c.reclaim(ctx, volume)
	})
	onChange(factory.Core().V1().Pods().Informer(), func(pod *core.Pod) error { return c.finish(ctx, pod) })
	factory.Start(ctx.Done())
	for {
		if err := c.renew(ctx); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		time.Sleep(10 * time.Second)
	}
}

func onChange[T any](informer cache.SharedIndexInformer, act func(T) error) {
	report := func(object any) {
		if err := act(object.(T)); err != nil && !errors.IsNotFound(err) {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    report,
		UpdateFunc: func(_, now any) { report(now) },
	})
}

// A claim gets its volume when the scheduler has chosen the node of its pod.
func (c bedController) provision(ctx context.Context, claim *core.PersistentVolumeClaim) error {
	node := claim.Annotations[selected]
	name := "pvc-" + string(claim.UID)
	if claim.Spec.StorageClassName == nil || *claim.Spec.StorageClassName != class || node == "" ||
		claim.Status.Phase != core.ClaimPending {
		return nil
	}
	directory := filepath.Join(c.directory, node, volumes, name)
	if err := os.MkdirAll(directory, 0o777); err != nil {
		return err
	}
	// Whatever the umask: the user of a pod is not known here.
	if err := os.Chmod(directory, 0o777); err != nil {
		return err
	}
	volume := &core.PersistentVolume{
		ObjectMeta: meta.ObjectMeta{
			Name: name,
			// Without it the controller takes the volume for one that it has to delete itself.
			Annotations: map[string]string{"pv.kubernetes.io/provisioned-by": "weir/local"},
		},
		Spec: core.PersistentVolumeSpec{
			StorageClassName:              class,
			AccessModes:                   claim.Spec.AccessModes,
			VolumeMode:                    claim.Spec.VolumeMode,
			Capacity:                      core.ResourceList{core.ResourceStorage: claim.Spec.Resources.Requests[core.ResourceStorage]},
			PersistentVolumeReclaimPolicy: core.PersistentVolumeReclaimDelete,
			ClaimRef: &core.ObjectReference{
				APIVersion: "v1", Kind: "PersistentVolumeClaim", Namespace: claim.Namespace, Name: claim.Name, UID: claim.UID,
			},
			PersistentVolumeSource: core.PersistentVolumeSource{
				Local: &core.LocalVolumeSource{Path: filepath.Join("/var", volumes, name)},
			},
			NodeAffinity: &core.VolumeNodeAffinity{Required: &core.NodeSelector{
				NodeSelectorTerms: []core.NodeSelectorTerm{{MatchExpressions: []core.NodeSelectorRequirement{{
					Key: core.LabelHostname, Operator: core.NodeSelectorOpIn, Values: []string{node},
				}}}},
			}},
		},
	}
	_, err := c.client.CoreV1().PersistentVolumes().Create(ctx, volume, meta.CreateOptions{})
	if errors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

// A volume whose claim is gone goes with what is in it.
func (c bedController) reclaim(ctx context.Context, volume *core.PersistentVolume) error {
	if volume.Spec.StorageClassName != class || volume.Status.Phase != core.VolumeReleased ||
		volume.DeletionTimestamp != nil {
		return nil
	}
	node := volume.Spec.NodeAffinity.Required.NodeSelectorTerms[0].MatchExpressions[0].Values[0]
	if err := os.RemoveAll(filepath.Join(c.directory, node, volumes, volume.Name)); err != nil {
		return err
	}
	return c.client.CoreV1().PersistentVolumes().Delete(ctx, volume.Name, meta.DeleteOptions{})
}

// No kubelet would say that a pod of the crowd has ended.
func (c bedController) finish(ctx context.Context, pod *core.Pod) error {
	if pod.DeletionTimestamp == nil || !isCrowd(pod.Spec.NodeName) {
		return nil
	}
	return c.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, *meta.NewDeleteOptions(0))
}

func isCrowd(node string) bool {
	const prefix = "weir-crowd-"
	return len(node) > len(prefix) && node[:len(prefix)] == prefix
}

// A node is Ready as long as its lease is renewed and nobody says otherwise.
func (c bedController) renew(ctx context.Context) error {
	nodes, err := c.client.CoreV1().Nodes().List(ctx, meta.ListOptions{LabelSelector: crowdLabel})
	if err != nil {
		return err
	}
	for _, node := range nodes.Items {
		if err := c.lease(ctx, node.Name); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	return nil
}

func (c bedController) lease(ctx context.Context, node string) error {
	leases := c.client.CoordinationV1().Leases(core.NamespaceNodeLease)
	seconds := int32(40)
	now := meta.NowMicro()
	spec := coordination.LeaseSpec{HolderIdentity: &node, LeaseDurationSeconds: &seconds, RenewTime: &now}
	lease, err := leases.Get(ctx, node, meta.GetOptions{})
	if errors.IsNotFound(err) {
		lease = &coordination.Lease{ObjectMeta: meta.ObjectMeta{Name: node}, Spec: spec}
		_, err = leases.Create(ctx, lease, meta.CreateOptions{})
		return err
	}
	if err != nil {
		return err
	}
	lease.Spec = spec
	_, err = leases.Update(ctx, lease, meta.UpdateOptions{})
	return err
}

func (c bedController) crowd(ctx context.Context, count int) error {
	nodes, err := c.client.CoreV1().Nodes().List(ctx, meta.ListOptions{LabelSelector: crowdLabel})
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for i := 1; i <= count; i++ {
		there[fmt.Sprintf("weir-crowd-%d", i)] = false
	}
	for _, node := range nodes.Items {
		if _, wanted := there[node.Name]; wanted {
			there[node.Name] = true
		} else if err := c.client.CoreV1().Nodes().Delete(ctx, node.Name, meta.DeleteOptions{}); err != nil {
			return err
		}
	}
	for name, exists := range there {
		if exists {
			continue
		}
		if err := c.lease(ctx, name); err != nil {
			return err
		}
		if _, err := c.client.CoreV1().Nodes().Create(ctx, crowdNode(name), meta.CreateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

func crowdNode(name string) *core.Node {
	capacity := core.ResourceList{
		core.ResourceCPU:              resource.MustParse("8"),
		core.ResourceMemory:           resource.MustParse("32Gi"),
		core.ResourceEphemeralStorage: resource.MustParse("100Gi"),
		core.ResourcePods:             resource.MustParse("110"),
	}
	return &core.Node{
		ObjectMeta: meta.ObjectMeta{Name: name, Labels: map[string]string{
			crowdLabel: "true", core.LabelHostname: name, core.LabelOSStable: "linux", core.LabelArchStable: "amd64",
		}},
		Status: core.NodeStatus{Capacity: capacity, Allocatable: capacity, Conditions: []core.NodeCondition{{
			Type: core.NodeReady, Status: core.ConditionTrue, Reason: "Crowd", Message: "no kubelet",
			LastHeartbeatTime: meta.Now(), LastTransitionTime: meta.Now(),
		}}},
	}
}

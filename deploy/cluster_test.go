package deploy_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// cluster is as much of a cluster as the pods of the manifests need.
type cluster struct {
	configMaps map[string]corev1.ConfigMap
	claims     map[string]corev1.PersistentVolumeClaim
	jobs       map[string]batchv1.Job
	crons      map[string]batchv1.CronJob
	secrets    map[string]map[string]string
	volumes    string // the folder that holds what the claims are bound to
}

// apply reads the manifests in their order. A field that the API does not know is an error.
func apply(t *testing.T, folder string) *cluster {
	t.Helper()
	c := &cluster{configMaps: map[string]corev1.ConfigMap{}, claims: map[string]corev1.PersistentVolumeClaim{},
		jobs: map[string]batchv1.Job{}, crons: map[string]batchv1.CronJob{}, volumes: t.TempDir()}
	paths, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no manifests (%v)", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var head struct{ APIVersion, Kind string }
		if err := yaml.Unmarshal(text, &head); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		switch head.APIVersion + " " + head.Kind {
		case "v1 ConfigMap":
			keep(t, path, text, c.configMaps, func(o corev1.ConfigMap) string { return o.Name })
		case "v1 PersistentVolumeClaim":
			keep(t, path, text, c.claims, func(o corev1.PersistentVolumeClaim) string { return o.Name })
		case "batch/v1 Job":
			keep(t, path, text, c.jobs, func(o batchv1.Job) string { return o.Name })
		case "batch/v1 CronJob":
			keep(t, path, text, c.crons, func(o batchv1.CronJob) string { return o.Name })
		default:
			t.Fatalf("%s holds a %v", path, head)
		}
	}
	for name, cron := range c.crons { // the Job that it makes when its time has come
		c.jobs[name] = batchv1.Job{Spec: cron.Spec.JobTemplate.Spec}
	}
	return c
}

func keep[T any](t *testing.T, path string, text []byte, into map[string]T, name func(T) string) {
	t.Helper()
	var object T
	if err := strictly(text, &object); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	into[name(object)] = object
}

// pod is a container as it is to be run, with the folders of this machine in the
// place of its mounts.
type pod struct {
	args []string
	env  map[string]string
}

// pod makes the only container of a Job's pod ready, as the Job's controller and
// the node do.
func (c *cluster) pod(t *testing.T, job string, index int) pod {
	t.Helper()
	spec := c.jobs[job].Spec.Template.Spec
	if len(spec.Containers) != 1 || len(spec.Containers[0].Command) != 0 {
		t.Fatalf("%s: want one container that runs what the image runs", job)
	}
	container := spec.Containers[0]
	p := pod{env: c.environment(t, container)}
	if mode := c.jobs[job].Spec.CompletionMode; mode != nil && *mode == batchv1.IndexedCompletion {
		p.env["JOB_COMPLETION_INDEX"] = strconv.Itoa(index)
	}
	p.args = slices.Clone(container.Args)
	for i := range p.args {
		p.args[i] = p.expand(p.args[i])
	}
	for _, mount := range container.VolumeMounts {
		folder := c.mounted(t, spec.Volumes, mount.Name, p.expand(mount.SubPathExpr))
		for i := range p.args {
			p.args[i] = strings.ReplaceAll(p.args[i], mount.MountPath, folder)
		}
		for name, value := range p.env {
			p.env[name] = strings.ReplaceAll(value, mount.MountPath, folder)
		}
	}
	return p
}

// expand puts variables in the place of their names; others stay as they stand.
func (p pod) expand(text string) string {
	for name, value := range p.env {
		text = strings.ReplaceAll(text, "$("+name+")", value)
	}
	return text
}

func (c *cluster) environment(t *testing.T, container corev1.Container) map[string]string {
	t.Helper()
	env := map[string]string{}
	for _, from := range container.EnvFrom {
		maps.Copy(env, c.configMaps[from.ConfigMapRef.Name].Data)
	}
	for _, v := range container.Env {
		switch from := v.ValueFrom; {
		case from == nil:
			env[v.Name] = v.Value
		case from.ConfigMapKeyRef != nil:
			env[v.Name] = c.configMaps[from.ConfigMapKeyRef.Name].Data[from.ConfigMapKeyRef.Key]
		case from.SecretKeyRef != nil:
			value, there := c.secrets[from.SecretKeyRef.Name][from.SecretKeyRef.Key]
			optional := from.SecretKeyRef.Optional
			if there {
				env[v.Name] = value
			} else if optional == nil || !*optional {
				t.Fatalf("the pod would not start: there is no key %s in a secret %s", from.SecretKeyRef.Key, from.SecretKeyRef.Name)
			}
		default:
			t.Fatalf("%s comes from where this test knows nothing of", v.Name)
		}
	}
	return env
}

// mounted is the folder of a volume; a folder inside of it is made as the node does.
func (c *cluster) mounted(t *testing.T, volumes []corev1.Volume, name, inside string) string {
	t.Helper()
	i := slices.IndexFunc(volumes, func(v corev1.Volume) bool { return v.Name == name })
	if i < 0 {
		t.Fatalf("there is no volume %s", name)
	}
	if claim := volumes[i].PersistentVolumeClaim; claim != nil {
		if _, there := c.claims[claim.ClaimName]; !there {
			t.Fatalf("there is no claim %s", claim.ClaimName)
		}
		folder := filepath.Join(c.volumes, claim.ClaimName, inside)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		return folder
	}
	folder := t.TempDir()
	if volumes[i].EmptyDir != nil {
		return folder
	}
	for file, text := range c.configMaps[volumes[i].ConfigMap.Name].Data {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// play runs a container to its end. As in the image, there is nothing in its
// environment but what the manifests say.
func (p pod) play(t *testing.T) outcome {
	t.Helper()
	var env []string
	for name, value := range p.env {
		env = append(env, name+"="+value)
	}
	return run(t, t.TempDir(), env, program("conform"), p.args...)
}

package examples

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"bohier/internal/pgstore/pgtest"
)

// A cluster answers kubectl as the programming interface of Kubernetes does, and keeps what
// it is given. It runs nothing.
type cluster struct {
	sync.Mutex
	got map[string]map[string]any // by path
}

// resources are those of the example, by group and version.
var resources = map[string][]map[string]any{
	"v1": {{"name": "configmaps", "kind": "ConfigMap"}, {"name": "secrets", "kind": "Secret"},
		{"name": "pods", "kind": "Pod"}, {"name": "pods/log", "kind": "Pod"}},
	"batch/v1":             {{"name": "jobs", "kind": "Job"}},
	"networking.k8s.io/v1": {{"name": "networkpolicies", "kind": "NetworkPolicy"}},
}

func (c *cluster) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.Lock()
	defer c.Unlock()
	answer := func(code int, object any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_ = json.NewEncoder(w).Encode(object)
	}
	path := r.URL.Path
	version := strings.TrimPrefix(strings.TrimPrefix(path, "/apis/"), "/api/")
	switch list, known := resources[version]; {
	case path == "/api":
		answer(200, map[string]any{"kind": "APIVersions", "versions": []string{"v1"}})
	case path == "/apis":
		var groups []any
		for version := range resources {
			if name, v, grouped := strings.Cut(version, "/"); grouped {
				this := map[string]any{"groupVersion": version, "version": v}
				groups = append(groups, map[string]any{"name": name, "versions": []any{this}, "preferredVersion": this})
			}
		}
		answer(200, map[string]any{"kind": "APIGroupList", "apiVersion": "v1", "groups": groups})
	case known:
		for _, one := range list {
			one["namespaced"], one["verbs"] = true, []string{"create", "get", "list", "patch"}
		}
		answer(200, map[string]any{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": version, "resources": list})
	case path == "/openapi/v3":
		paths := map[string]any{}
		for version := range resources {
			at := "api/" + version
			if strings.Contains(version, "/") {
				at = "apis/" + version
			}
			paths[at] = map[string]any{"serverRelativeURL": "/openapi/v3/" + version}
		}
		answer(200, map[string]any{"paths": paths})
	case strings.HasPrefix(path, "/openapi/v3/"): // the server itself looks at fields
		group, v, grouped := strings.Cut(strings.TrimPrefix(path, "/openapi/v3/"), "/")
		if !grouped {
			group, v = "", group
		}
		paths := map[string]any{}
		for _, one := range resources[strings.TrimPrefix(path, "/openapi/v3/")] {
			paths["/"+one["name"].(string)] = map[string]any{"patch": map[string]any{
				"parameters":                      []any{map[string]any{"name": "fieldValidation", "in": "query"}},
				"x-kubernetes-group-version-kind": map[string]any{"group": group, "version": v, "kind": one["kind"]},
			}}
		}
		answer(200, map[string]any{"openapi": "3.0.0", "paths": paths})
	case r.Method == http.MethodPost:
		var object map[string]any
		text, _ := io.ReadAll(r.Body)
		if strings.HasPrefix(string(text), "k8s\x00") { // a secret, in another encoding
			object = map[string]any{"kind": "Secret", "apiVersion": "v1", "metadata": map[string]any{"name": "tuning"},
				"text": string(text)}
		} else if err := json.Unmarshal(text, &object); err != nil {
			answer(400, status(400, "BadRequest", err.Error()))
			return
		}
		name := path + "/" + fmt.Sprint(object["metadata"].(map[string]any)["name"])
		if c.got[name] != nil {
			answer(409, status(409, "AlreadyExists", name))
			return
		}
		c.got[name] = object
		answer(201, object)
	case strings.HasSuffix(path, "/log"):
		fmt.Fprintln(w, "ended       the budget of 200 trials is used")
	case strings.HasSuffix(path, "/pods"):
		answer(200, map[string]any{"kind": "PodList", "apiVersion": "v1", "metadata": map[string]any{},
			"items": []any{map[string]any{
				"kind": "Pod", "apiVersion": "v1", "metadata": map[string]any{"name": "tuning-0", "namespace": "default"},
				"spec": map[string]any{"containers": []any{map[string]any{"name": "worker"}}},
				"status": map[string]any{"phase": "Running",
					"containerStatuses": []any{map[string]any{"name": "worker", "ready": true,
						"state": map[string]any{"running": map[string]any{}}}}},
			}}})
	case c.got[path] != nil:
		answer(200, c.got[path])
	default:
		answer(404, status(404, "NotFound", path))
	}
}

func status(code int, reason, message string) map[string]any {
	return map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason,
		"message": message}
}

// TestCluster types what the README says at a cluster of its own, and its status at a database.
func TestCluster(t *testing.T) {
	long(t)
	needs(t, "kubectl")
	c := &cluster{got: map[string]map[string]any{}}
	server := httptest.NewServer(c)
	defer server.Close()
	schema, err := exec.Command(bohier, "journal", "schema").Output()
	must(t, err)
	_, port := pgtest.Start(t, "..", string(schema))
	dir := filepath.Join(t.TempDir(), "examples", "kubernetes")
	must(t, os.CopyFS(dir, os.DirFS("kubernetes")))
	must(t, os.WriteFile(filepath.Join(dir, "pgpass"), []byte("*:*:*:*:geheim-7\n"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "pg_service.conf"),
		fmt.Appendf(nil, "[tuning]\nhost=127.0.0.1\nport=%s\ndbname=tuning\nuser=wanda\n", port), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "config"),
		[]byte("{apiVersion: v1, kind: Config, current-context: c, clusters: [{name: c, cluster: {server: '"+server.URL+
			"'}}], contexts: [{name: c, context: {cluster: c}}]}"), 0o600))
	out, code := typing(t, dir, typed(t, "kubernetes")[0], "KUBECONFIG="+filepath.Join(dir, "config"))
	if code != 0 || !strings.Contains(out, "postgres://127.0.0.1:"+port+"/tuning#tuning (not begun)") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	job, _ := c.got["/apis/batch/v1/namespaces/default/jobs/tuning"]["spec"].(map[string]any)
	if len(c.got) != 4 || job["completions"] != 16.0 {
		t.Errorf("the cluster has %d objects, and a job of %v", len(c.got), job["completions"])
	}
	if secret := fmt.Sprint(c.got["/api/v1/namespaces/default/secrets/tuning"]); !strings.Contains(secret,
		"dbname=tuning") || !strings.Contains(secret, "geheim-7") {
		t.Errorf("the secret is %q", secret)
	}
}

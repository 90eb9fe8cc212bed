package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestStoresAreJudged has conform stop and kill the server over each store, and says what it finds. A
// store that writes its file in place may be found in the middle of that; of the others nothing is
// blamed.
func TestStoresAreJudged(t *testing.T) {
	dir := t.TempDir()
	conform, stores := filepath.Join(dir, "conform"), filepath.Join(dir, "stores")
	for path, folder := range map[string]string{conform: "../../cmd/conform", stores: "."} {
		cmd := exec.Command("go", "build", "-o", path, ".")
		cmd.Dir = folder
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("building %s: %v: %s", folder, err, out)
		}
	}
	budget := os.Getenv("STORES_FOR")
	if budget == "" {
		budget = "30s"
	}
	for _, kind := range []string{"sqlite", "sqlite-off", "bbolt", "bbolt-nosync", "file", "file-in-place"} {
		t.Run(kind, func(t *testing.T) {
			report := filepath.Join(t.TempDir(), "report.json")
			cmd := exec.Command(conform, "--restarts="+budget, "--rule", "restarts.*", "--seed", "1", "--quiet", "--corpus=", "--report", "json="+report,
				"--exec", `exec "$STORES" -store "$KIND" -path "$KEPT"`)
			cmd.Dir = t.TempDir()
			cmd.Env = append(os.Environ(), "STORES="+stores, "KIND="+kind, "KEPT="+filepath.Join(t.TempDir(), "kept"))
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			content, err := os.ReadFile(report)
			if err != nil {
				t.Fatal(err)
			}
			var r struct {
				Rules []struct {
					ID, Status string
					Checks     []struct{ Message string }
				}
			}
			if err := json.Unmarshal(content, &r); err != nil {
				t.Fatal(err)
			}
			told := ""
			for _, rule := range r.Rules {
				switch rule.Status {
				case "observed":
					told += fmt.Sprintf("%s: %s; ", rule.ID, rule.Checks[0].Message)
				case "warn", "error", "blocked":
					told += fmt.Sprintf("%s %s: %s; ", rule.Status, rule.ID, rule.Checks[0].Message)
					if kind != "file-in-place" {
						t.Errorf("%s is %s: %s", rule.ID, rule.Status, rule.Checks[0].Message)
					}
				}
				if rule.ID == "restarts.order" && len(rule.Checks) > 0 {
					told += rule.Checks[0].Message + "; "
				}
			}
			t.Log(told)
		})
	}
}

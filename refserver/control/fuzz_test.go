package control_test

import (
	"bytes"
	"testing"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control"
)

// FuzzImport imports any file: it is taken whole, or refused and nothing changes.
func FuzzImport(f *testing.F) {
	fake, err := control.New(control.Options{
		Server: refserver.Options{AppTokens: []string{appToken}, PasswordCost: 1},
		First:  control.Settings{Seed: "demo:users=3,events=4"},
	})
	if err != nil {
		f.Fatal(err)
	}
	world := fake.Default()
	var file bytes.Buffer
	if err := world.Export(f.Context(), &file); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Add([]byte(`{"format":"refserver.world/v1","state":{"LastUser":1,"Users":[{"App":1,"ID":1,"UserName":"a"}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		before, err := world.State(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		refused := world.Import(t.Context(), bytes.NewReader(data)) != nil
		after, err := world.State(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if refused && (len(after.Users) != len(before.Users) || len(after.Events) != len(before.Events) || len(after.Connections) != len(before.Connections)) {
			t.Errorf("a refused import changed the world")
		}
	})
}

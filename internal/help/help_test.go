package help

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// What a command says of itself and its flags fits 80 columns where there is no terminal, and a
// list that is empty is not told.
func TestHelpFitsWhereThereIsNoTerminal(t *testing.T) {
	root := &cobra.Command{Use: "root", Long: strings.Repeat("many words ", 20) + "\n\nkept:\n" + "  as it stands", Run: func(*cobra.Command, []string) {}}
	root.Flags().StringArray("list", nil, strings.Repeat("many words of a flag, ", 10)+"end")
	root.Flags().String("name", "default", strings.Repeat("more words of a flag, ", 10)+"end")
	Lay(root)
	var out strings.Builder
	root.SetOut(&out)
	root.SetArgs([]string{"--help"})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if line = strings.TrimSuffix(line, "\n"); len(line) > 80 || strings.HasSuffix(line, " ") {
			t.Errorf("%d columns: %q", len(line), line)
		}
	}
	for _, said := range []string{"kept:\n  as it stands\n", `(default "default")`} {
		if !strings.Contains(out.String(), said) {
			t.Errorf("%q is not said in\n%s", said, out.String())
		}
	}
	if strings.Contains(out.String(), "[]") {
		t.Error(out.String())
	}
}

package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/report/view"
)

func TestEveryFormatIsWritten(t *testing.T) {
	texts := map[string]string{}
	for _, format := range Formats() {
		for name, r := range fixtures() {
			if got := writtenAs(t, format, r); got == "" {
				t.Errorf("%s as %s is empty", name, format)
			} else if name == "failing" {
				if !strings.HasSuffix(got, "\n") {
					t.Errorf("%s does not end with a newline", format)
				}
				texts[got] = format
			}
		}
	}
	if len(texts) != len(Formats()) {
		t.Errorf("of %d formats %d differ", len(Formats()), len(texts))
	}
}

func TestFormatsSayTheSameTwice(t *testing.T) {
	for _, format := range Formats() {
		first := writtenAs(t, format, failing())
		if again := writtenAs(t, format, failing()); again != first {
			t.Errorf("%s comes out differently", format)
		}
	}
}

func TestFormatsTellOfFailingWriters(t *testing.T) {
	for _, format := range Formats() {
		for _, room := range []int{0, 100} {
			err := New(failing(), view.Options{}).Write(&full{room}, format, screen.Layout{})
			if err == nil || !strings.Contains(err.Error(), "no space left") || !strings.HasPrefix(err.Error(), "writing the report as ") {
				t.Errorf("%s with room for %d bytes: %v", format, room, err)
			}
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	for format, meant := range map[string]string{
		"junt": "junit", "XML": "junit", "md": "markdown", "svg": "badge", "Jsn": "json", "htm": "html", "txt": "text",
		"githb": "github", "yaml": "", "": "", "spreadsheet": "",
	} {
		var b bytes.Buffer
		err := New(passing(), view.Options{}).Write(&b, format, screen.Layout{})
		if err == nil || b.Len() > 0 {
			t.Fatalf("%s: %v, and %d bytes", format, err, b.Len())
		}
		for _, known := range Formats() {
			if !strings.Contains(err.Error(), known) {
				t.Errorf("%s: the error does not name %s: %v", format, known, err)
			}
		}
		if _, hint, told := strings.Cut(err.Error(), "did you mean "); told != (meant != "") || !strings.HasPrefix(hint, meant) {
			t.Errorf("%s: %v", format, err)
		}
	}
}

package report

import (
	"encoding/xml"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

func TestBadgeGolden(t *testing.T) {
	for name, r := range fixtures() {
		t.Run(name, func(t *testing.T) { golden(t, name+".svg", writtenAs(t, "badge", r)) })
	}
}

// svg is what a badge is read for.
type svg struct {
	XMLName xml.Name `xml:"http://www.w3.org/2000/svg svg"`
	Width   int      `xml:"width,attr"`
	Role    string   `xml:"role,attr"`
	Label   string   `xml:"aria-label,attr"`
	Title   string   `xml:"title"`
	Texts   []struct {
		X      int    `xml:"x,attr"`
		Length int    `xml:"textLength,attr"`
		Text   string `xml:",chardata"`
	} `xml:"g>text"`
}

func badgeFrom(t *testing.T, r *result.Report) svg {
	t.Helper()
	var b svg
	if err := xml.Unmarshal([]byte(writtenAs(t, "badge", r)), &b); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBadgeSaysWhatItShows(t *testing.T) {
	all := everyReport()
	strange := failing()
	strange.Verdict = result.Verdict(`"><script>` + strings.Repeat("x", 1000))
	all["strange"] = strange
	for name, r := range all {
		b := badgeFrom(t, r)
		if len(b.Texts) != 2 || b.Role != "img" {
			t.Fatalf("%s: %+v", name, b)
		}
		if shown := b.Texts[0].Text + ": " + b.Texts[1].Text; b.Title != shown || b.Label != shown {
			t.Errorf("%s: it shows %q, is titled %q and labelled %q", name, shown, b.Title, b.Label)
		}
		label, value := b.Texts[0], b.Texts[1]
		if label.X+label.Length >= value.X || value.X+value.Length >= b.Width || b.Width > 700 {
			t.Errorf("%s: the texts do not fit: %+v", name, b)
		}
	}
}

func TestBadgeCounts(t *testing.T) {
	strict := failing()
	strict.FailOn = rules.Should
	for want, r := range map[string]*result.Report{
		"conformant 22/22": passing(), "not conformant 2/7": failing(), "not conformant 2/8": strict,
		"no verdict 0/190": unreachable(), "no verdict 1/15": blockedRun(), "not conformant 1/2": accepted(), "no verdict 0/1": shaky(),
	} {
		if got := badgeFrom(t, r).Texts[1].Text; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// White text must be legible on every colour (WCAG 2, level AA).
func TestBadgeContrast(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range []result.Verdict{result.Conformant, result.NonConformant, result.Incomplete} {
		r := passing()
		r.Verdict = v
		for _, color := range regexp.MustCompile(`fill="(#[0-9a-f]+)"`).FindAllStringSubmatch(writtenAs(t, "badge", r), -1) {
			seen[color[1]] = true
		}
	}
	if len(seen) != 5 {
		t.Errorf("the colours are %v, want one for each verdict, the label's and the text's", seen)
	}
	for color := range seen {
		if contrast := 1.05 / (luminance(t, color) + 0.05); color != "#fff" && contrast < 4.5 {
			t.Errorf("%s: %.2f", color, contrast)
		}
	}
}

func luminance(t *testing.T, color string) float64 {
	t.Helper()
	hex := strings.TrimPrefix(color, "#")
	if len(hex) == 3 {
		hex = fmt.Sprintf("%c%[1]c%c%[2]c%c%[3]c", hex[0], hex[1], hex[2])
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			sum += weight * c / 12.92
		} else {
			sum += weight * math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return sum
}

package html

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// diagram is a drawing in SVG, in pixels.
type diagram struct {
	Width, Height int
	Bands         []band
	Nodes         []node
	Marks         []mark
}

// band is a ribbon or a line between two points.
type band struct{ Class, Path, Title string }

// node is a bar with its label.
type node struct {
	X, Y, Height   string
	Label          string
	LabelX, LabelY string
	Before         bool // the label stands left of the bar
}

// mark is a dot on a line.
type mark struct{ Class, X, Y, Title string }

func px(f float64) string { return fmt.Sprintf("%.1f", f) }

// The measures of the diagram of causes.
const (
	causesWidth = 760.0
	causesLeft  = 290.0 // the room for the names of rules
	causesRight = 150.0 // and for those of parts
	nodeWidth   = 10.0
	nodeGap     = 8.0
	nodeLeast   = 15.0 // high enough for its label
	maxCauses   = 14
)

// causes draws which rules block how many others, by part of the contract; nil where a list
// is as quick to read.
func causes(s *view.Section) *diagram {
	byRule := slices.DeleteFunc(slices.Clone(s.Groups), func(g *view.Group) bool { return !g.ByRule })
	if s.ID != "blocked" || len(byRule) < 3 || len(s.Rules) < 8 {
		return nil
	}
	left, right, flows := flowsOf(byRule)
	scale := min(max(260/float64(len(s.Rules)), 1.5), 12)
	d := &diagram{Width: int(causesWidth)}
	fromY, fromH := d.column(left, causesLeft, scale, true)
	toY, toH := d.column(right, causesWidth-causesRight-nodeWidth, scale, false)
	for i := range left {
		for j := range right {
			n := flows[flow{i, j}]
			if n == 0 {
				continue
			}
			a, b := fromH[i]*float64(n)/float64(left[i].Frees), toH[j]*float64(n)/float64(right[j].Frees)
			x1, x2 := causesLeft+nodeWidth, causesWidth-causesRight-nodeWidth
			mid := (x1 + x2) / 2
			d.Bands = append(d.Bands, band{"flow", fmt.Sprintf("M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1fV%.1fC%.1f %.1f %.1f %.1f %.1f %.1fZ",
				x1, fromY[i], mid, fromY[i], mid, toY[j], x2, toY[j], toY[j]+b, mid, toY[j]+b, mid, fromY[i]+a, x1, fromY[i]+a),
				fmt.Sprintf("%s: %s of %s", left[i].Reason, result.Plural(n, "rule"), right[j].Reason)})
			fromY[i] += a
			toY[j] += b
		}
	}
	return d
}

// flow is a cause and a part, by their places in the columns.
type flow struct{ left, right int }

// flowsOf counts the rules that each cause blocks, by part: in Frees of the causes and of the
// parts, and for each pair of them. The last of too many causes stands for all others.
func flowsOf(byRule []*view.Group) (left, right []view.Group, flows map[flow]int) {
	flows = map[flow]int{}
	for i, g := range byRule {
		at := min(i, maxCauses-1)
		if at == len(left) {
			left = append(left, view.Group{Reason: g.Reason})
		} else if at < i {
			left[at].Reason = "others"
		}
		for _, rule := range g.Rules {
			to := slices.IndexFunc(right, func(part view.Group) bool { return part.Reason == rule.Part })
			if to < 0 {
				to = len(right)
				right = append(right, view.Group{Reason: rule.Part})
			}
			left[at].Frees++
			right[to].Frees++
			flows[flow{at, to}]++
		}
	}
	return left, right, flows
}

// column stacks nodes, and returns where each begins and how high it is.
func (d *diagram) column(groups []view.Group, x, scale float64, before bool) (tops, heights []float64) {
	y := 2.0
	for _, g := range groups {
		height := max(float64(g.Frees)*scale, nodeLeast)
		n := node{X: px(x), Y: px(y), Height: px(height), LabelY: px(y + height/2 + 4), LabelX: px(x + nodeWidth + 6), Before: before,
			Label: fmt.Sprintf("%s %d", plain.Cut(g.Reason, 40), g.Frees)}
		if before {
			n.LabelX = px(x - 6)
		}
		d.Nodes = append(d.Nodes, n)
		tops, heights = append(tops, y), append(heights, height)
		y += height + nodeGap
	}
	d.Height = max(d.Height, int(y))
	return tops, heights
}

// The measures of the diagram of a story.
const (
	laneHeight = 26.0
	laneLeft   = 64.0
	laneWidth  = 700.0
)

// lanes draws a story: a line for each actor, a dot for each request, a stroke to the user
// that it is about. It is nil where a list is as quick to read.
func lanes(s *view.Story) *diagram {
	if len(s.Actors) < 3 {
		return nil
	}
	apart := min(laneWidth/float64(len(s.Steps)), 44)
	x := func(step int) float64 { return laneLeft + apart*(float64(step)+.5) }
	y := func(actor int) float64 { return laneHeight * (float64(max(slices.Index(s.Actors, actor), 0)) + .5) }
	d := &diagram{Width: int(laneLeft + apart*float64(len(s.Steps)) + 12), Height: int(laneHeight*float64(len(s.Actors))) + 4}
	for _, actor := range s.Actors {
		from, to := -1, len(s.Steps)-1
		for i, step := range s.Steps {
			if step.Actor == actor && from < 0 {
				from = i
			}
			if step.Actor == actor && step.Endpoint == rules.DeleteMe {
				to = i
			}
		}
		d.Nodes = append(d.Nodes, node{LabelX: "2", LabelY: px(y(actor) + 4), Label: view.Who(actor)})
		d.Bands = append(d.Bands, band{"lane", fmt.Sprintf("M%.1f %.1fH%.1f", x(from), y(actor), x(to)), view.Who(actor)})
	}
	for i, step := range s.Steps {
		title := fmt.Sprintf("%d. %s %s", step.Number, step.Who(), step.What)
		if step.To != 0 && step.To != step.Actor && slices.Contains(s.Actors, step.To) {
			d.Bands = append(d.Bands, band{"to", fmt.Sprintf("M%.1f %.1fV%.1f", x(i), y(step.Actor), y(step.To)), title})
		}
		d.Marks = append(d.Marks, mark{classOf(step), px(x(i)), px(y(step.Actor)), title})
	}
	return d
}

// classOf is the style class of a request, by what the request does.
func classOf(d view.Step) string {
	method := map[string]string{"GET": "reads", "PUT": "changes", "POST": "makes", "DELETE": "deletes"}[d.Endpoint.Method()]
	if d.Decides {
		return "decides"
	}
	return cmp.Or(method, "reads")
}

package control

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control/seed"
)

//go:embed console
var consoleFiles embed.FS

// console is the control plane for people: pages made here, forms, and a script
// for the live journal.
type console struct {
	plane *Plane
	pages *template.Template
}

// consoleRoutes adds the console's pages. Routes registered with open need no token.
func (p *Plane) consoleRoutes(mux, open *http.ServeMux) {
	c := &console{p, template.Must(template.ParseFS(consoleFiles, "console/*.html"))}
	open.HandleFunc("GET /login", func(w http.ResponseWriter, _ *http.Request) { c.page(w, http.StatusOK, "login", said{}) })
	open.HandleFunc("POST /login", c.logIn)
	for name, contentType := range map[string]string{"console.css": "text/css; charset=utf-8", "console.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml"} {
		open.HandleFunc("GET /assets/"+name, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", contentType)
			http.ServeFileFS(w, r, consoleFiles, "console/"+name)
		})
	}
	mux.Handle("GET /{$}", http.RedirectHandler("/worlds/"+defaultWorld, http.StatusSeeOther))
	mux.HandleFunc("GET /worlds/{world}", c.inWorld(func(w http.ResponseWriter, r *http.Request, world *World) error {
		return c.showWorld(w, r, world, said{Said: notice(r)})
	}))
	mux.HandleFunc("GET /worlds/{world}/users/{id}", c.inWorld(func(w http.ResponseWriter, r *http.Request, world *World) error {
		return c.showUser(w, r, world, userPage{})
	}))
	mux.HandleFunc("POST /worlds/{world}/users", c.inWorld(c.createUser))
	mux.HandleFunc("POST /worlds/{world}/users/{id}/login", c.inWorld(c.logInAs))
	mux.HandleFunc("POST /worlds/{world}/users/{id}/logout", c.inWorld(c.endSessions))
	for action, act := range map[string]func(context.Context, *World, url.Values) error{
		"clock": c.moveClock, "weather": c.setWeather, "settings": c.setSettings, "seed": c.seedWorld, "reset": c.reset, "clear": c.clearJournal,
	} {
		mux.HandleFunc("POST /worlds/{world}/"+action, c.inWorld(c.form(action, act)))
	}
}

// said is the message at the top of a page.
type said struct {
	Said   string
	Failed bool
}

// notice is the message of a page after its form was submitted. The words are here, so that a link
// cannot put others into the page's mouth.
func notice(r *http.Request) string {
	return map[string]string{
		"clock": "The clock was moved.", "weather": "The weather was set.", "settings": "Dialect, choices and faults were set.",
		"seed": "The world was seeded.", "reset": "The world begins anew.", "clear": "The journal was cleared.", "create": "The user was created.",
	}[r.URL.Query().Get("done")]
}

func (c *console) page(w http.ResponseWriter, status int, name string, data any) {
	var page bytes.Buffer
	if err := c.pages.ExecuteTemplate(&page, name, data); err != nil {
		fail(w, http.StatusInternalServerError, fmt.Errorf("making the page: %w", err))
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, c.withoutSecrets(page.String())) // an error is the reader's, who is gone
}

// fixedText begins a text that is the same for everybody.
const fixedText = `<code class="fixed">`

// shownText matches the text between two tags of a page.
var shownText = regexp.MustCompile(fixedText + `[^<>]*<|>[^<>]{3,}<`)

// withoutSecrets is a page with secrets hidden in its texts: users and events come from clients.
func (c *console) withoutSecrets(page string) string {
	return shownText.ReplaceAllStringFunc(page, func(text string) string {
		if strings.HasPrefix(text, fixedText) {
			return text
		}
		return c.plane.fake.secrets.Without(text)
	})
}

// logIn gives the browser a cookie in exchange for the token.
func (c *console) logIn(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	if !c.plane.isToken(r.PostFormValue("token")) {
		c.page(w, http.StatusUnauthorized, "login", said{"This is not the control token.", true})
		return
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: c.plane.cookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (c *console) inWorld(serve func(http.ResponseWriter, *http.Request, *World) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		world, ok := c.plane.fake.World(r.PathValue("world"))
		if !ok {
			fail(w, http.StatusNotFound, errNoWorld)
			return
		}
		if err := serve(w, r, world); err != nil {
			fail(w, statusOf(err), err)
		}
	}
}

// form takes a form and shows the world again: with the mistake, or by a redirect,
// so that a reload does nothing twice.
func (c *console) form(action string, act func(context.Context, *World, url.Values) error) func(http.ResponseWriter, *http.Request, *World) error {
	return func(w http.ResponseWriter, r *http.Request, world *World) error {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		if err := r.ParseForm(); err != nil {
			return fmt.Errorf("reading the form: %w", err)
		}
		if err := act(r.Context(), world, r.PostForm); err != nil {
			return c.showWorld(w, r, world, said{err.Error(), true})
		}
		http.Redirect(w, r, "/worlds/"+world.Name+"?done="+action, http.StatusSeeOther)
		return nil
	}
}

func (c *console) moveClock(_ context.Context, world *World, form url.Values) error {
	switch form.Get("do") {
	case "freeze":
		return world.Clock.Freeze(time.Time{})
	case "run":
		world.Clock.Run()
		return nil
	}
	d, err := time.ParseDuration(form.Get("advance"))
	if err != nil {
		return errors.New("the clock advances by a duration such as 10s or 36h")
	}
	return world.Clock.Advance(d)
}

func (c *console) setWeather(_ context.Context, world *World, form url.Values) error {
	return world.Weather(lines(form.Get("rules"))...)
}

func (c *console) setSettings(ctx context.Context, world *World, form url.Values) error {
	choose := make(map[string]string)
	for _, line := range lines(form.Get("choose")) {
		name, value, given := strings.Cut(line, "=")
		if !given {
			return fmt.Errorf("the choice %q is not of the form name=value", line)
		}
		choose[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return world.Change(ctx, func(s *Settings) {
		s.Dialect, s.Choose, s.Faults = strings.Join(form["dialect"], "+"), choose, strings.Fields(strings.ReplaceAll(form.Get("faults"), ",", " "))
	})
}

func (c *console) seedWorld(ctx context.Context, world *World, form url.Values) error {
	data, err := seed.Parse(strings.ReplaceAll(form.Get("seed"), "\r\n", "\n"))
	if err != nil {
		return err
	}
	return world.Seed(ctx, data)
}

func (c *console) clearJournal(_ context.Context, world *World, _ url.Values) error {
	c.plane.fake.Journal.Clear(world.Name)
	return nil
}

func (c *console) reset(ctx context.Context, world *World, _ url.Values) error {
	return world.Reset(ctx)
}

// lines splits a text area's text and drops blank lines.
func lines(text string) []string {
	var list []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}

func (c *console) showWorld(w http.ResponseWriter, r *http.Request, world *World, said said) error {
	view, err := c.worldPage(r.Context(), world)
	if err != nil {
		return err
	}
	view.said = said
	status := http.StatusOK
	if said.Failed {
		status = http.StatusBadRequest
	}
	c.page(w, status, "world", view)
	return nil
}

// worldNames lists the worlds for the pages' navigation.
func (c *console) worldNames() []string {
	var names []string
	for _, world := range c.plane.fake.Worlds() {
		names = append(names, world.Name)
	}
	return names
}

// dialectTick is a dialect to tick.
type dialectTick struct {
	Name, Summary string
	On            bool
}

func dialectTicks(composed string) []dialectTick {
	var ticks []dialectTick
	on := strings.Split(composed, "+")
	for _, dialect := range refserver.Dialects()[1:] { // the first is the default: nothing ticked
		ticks = append(ticks, dialectTick{dialect.Name, dialect.Summary, slices.Contains(on, dialect.Name)})
	}
	return ticks
}

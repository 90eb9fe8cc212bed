package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control/seed"
	"github.com/socialfeed/conform/refserver/faults"
)

// worldView is a world as it is sent.
type worldView struct {
	Name     string    `json:"name"`
	AppToken string    `json:"app_token,omitempty"` // in the answer that opens the world alone
	Settings           // what is set now
	Now      time.Time `json:"now"` // by the world's clock
	Frozen   bool      `json:"frozen"`
	Holds    holdings  `json:"holds"`
}

type holdings struct {
	Users       int `json:"users"`
	Sessions    int `json:"sessions"`
	Connections int `json:"connections"`
	Events      int `json:"events"`
}

func (w *World) view(ctx context.Context) (worldView, error) {
	settings, err := w.Settings(ctx)
	if err != nil {
		return worldView{}, err
	}
	settings.Clock, settings.Seed = time.Time{}, ""
	view := worldView{Name: w.Name, Settings: settings, Now: w.Clock.Now(), Frozen: w.Clock.Frozen()}
	err = w.beside(ctx, func(server *refserver.Server) { view.Holds = holdings(server.Stats()) })
	return view, err
}

func answerWorld(w http.ResponseWriter, r *http.Request, world *World) error {
	view, err := world.view(r.Context())
	if err != nil {
		return err
	}
	return answerJSON(w, http.StatusOK, view)
}

func (p *Plane) listWorlds(w http.ResponseWriter, r *http.Request) error {
	views := []worldView{}
	for _, world := range p.fake.Worlds() {
		view, err := world.view(r.Context())
		if err != nil {
			return err
		}
		views = append(views, view)
	}
	return answerJSON(w, http.StatusOK, map[string]any{"worlds": views, "forgotten": p.fake.Forgotten()})
}

// openWorld serves POST /v1/worlds: a name, which may be left out, and settings.
func (p *Plane) openWorld(w http.ResponseWriter, r *http.Request) error {
	var wanted struct {
		Name string `json:"name"`
		Settings
	}
	if err := readJSON(r, &wanted); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	world, token, err := p.fake.Open(wanted.Name, wanted.Settings)
	if err != nil {
		return err
	}
	view, err := world.view(r.Context())
	if err != nil {
		return err
	}
	view.AppToken = token
	return answerJSON(w, http.StatusCreated, view)
}

// changeWorld serves PATCH /v1/worlds/{world}: settings that are left out stay.
func (p *Plane) changeWorld(w http.ResponseWriter, r *http.Request, world *World) error {
	var wanted struct {
		Dialect *string           `json:"dialect"`
		Choose  map[string]string `json:"choose"`
		Faults  *[]string         `json:"faults"`
		Weather *[]string         `json:"weather"`
	}
	if err := readJSON(r, &wanted); err != nil {
		return err
	}
	if wanted.Weather != nil { // before anything changes
		if err := (Settings{Weather: *wanted.Weather}).Validate(); err != nil {
			return err
		}
	}
	err := world.Change(r.Context(), func(s *Settings) {
		if wanted.Dialect != nil {
			s.Dialect = *wanted.Dialect
		}
		if wanted.Choose != nil {
			s.Choose = wanted.Choose
		}
		if wanted.Faults != nil {
			s.Faults = *wanted.Faults
		}
	})
	if err == nil && wanted.Weather != nil {
		err = world.Weather(*wanted.Weather...)
	}
	if err != nil {
		return err
	}
	return answerWorld(w, r, world)
}

// deleteWorld resets the world: the default one is emptied, any other is removed, and created
// again by the next request with its token.
func (p *Plane) deleteWorld(w http.ResponseWriter, r *http.Request, world *World) error {
	var err error
	if world.Name == defaultWorld {
		err = world.Reset(r.Context())
	} else {
		err = p.fake.Close(world.Name)
	}
	if err != nil {
		return err
	}
	p.fake.Journal.Clear(world.Name)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (p *Plane) setWeather(w http.ResponseWriter, r *http.Request, world *World) error {
	var rules []string
	if err := readJSON(r, &rules); err != nil {
		return fmt.Errorf(`%w; it is a list of rules such as ["429,after=5"]`, err)
	}
	if err := world.Weather(rules...); err != nil {
		return err
	}
	return answerWorld(w, r, world)
}

// moveClock serves POST /v1/worlds/{world}/clock: freeze, advance and run, in this order.
func (p *Plane) moveClock(w http.ResponseWriter, r *http.Request, world *World) error {
	var move struct {
		Freeze  bool      `json:"freeze"`
		At      time.Time `json:"at"` // of freeze; left out it is now
		Advance string    `json:"advance"`
		Run     bool      `json:"run"`
	}
	if err := readJSON(r, &move); err != nil {
		return err
	}
	if move.Freeze || !move.At.IsZero() {
		if err := world.Clock.Freeze(move.At); err != nil {
			return err
		}
	}
	if move.Advance != "" {
		d, err := time.ParseDuration(move.Advance)
		if err != nil {
			return fmt.Errorf("advance: %q is not a duration such as 10s", move.Advance)
		}
		if err := world.Clock.Advance(d); err != nil {
			return err
		}
	}
	if move.Run {
		world.Clock.Run()
	}
	return answerWorld(w, r, world)
}

// seedWorld serves POST /v1/worlds/{world}/seed: a seed as text replaces the world's data.
func (p *Plane) seedWorld(w http.ResponseWriter, r *http.Request, world *World) error {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return fmt.Errorf("reading the seed: %w", err)
	}
	data, err := seed.Parse(string(text))
	if err != nil {
		return err
	}
	if err := world.Seed(r.Context(), data); err != nil {
		return err
	}
	return answerWorld(w, r, world)
}

func (p *Plane) exportWorld(w http.ResponseWriter, r *http.Request, world *World) error {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Disposition", `attachment; filename="world.json"`)
	return world.Export(r.Context(), w)
}

func (p *Plane) importWorld(w http.ResponseWriter, r *http.Request, world *World) error {
	if most := world.options.MaxMemory; most > 0 && most < maxState {
		r.Body = http.MaxBytesReader(w, r.Body, most)
	}
	if err := world.Import(r.Context(), r.Body); err != nil {
		return err
	}
	return answerWorld(w, r, world)
}

func (p *Plane) listDialects(w http.ResponseWriter, _ *http.Request) error {
	type dialect struct {
		Name    string `json:"name"`
		Summary string `json:"summary"`
	}
	list := []dialect{}
	for _, d := range refserver.Dialects() {
		list = append(list, dialect{d.Name, d.Summary})
	}
	return answerJSON(w, http.StatusOK, map[string]any{"dialects": list, "choices": defaultChoices()})
}

// listChoices serves GET /v1/choices.
func (p *Plane) listChoices(w http.ResponseWriter, _ *http.Request) error {
	return answerJSON(w, http.StatusOK, map[string]any{"choices": defaultChoices()})
}

// defaultChoices are the names and default values of the choices.
func defaultChoices() map[string]string {
	choices := map[string]string{}
	for _, setting := range (refserver.Choices{}).Settings() {
		choices[setting.Name] = setting.Value
	}
	return choices
}

func (p *Plane) listFaults(w http.ResponseWriter, _ *http.Request) error {
	type fault struct {
		Name    string `json:"name"`
		Rule    string `json:"rule"`
		Summary string `json:"summary"`
	}
	list := []fault{}
	for _, f := range faults.All() {
		list = append(list, fault{f.Name, f.Rule, f.Summary})
	}
	return answerJSON(w, http.StatusOK, map[string]any{"faults": list})
}

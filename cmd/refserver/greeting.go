package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/socialfeed/conform/refserver/control/seed"
)

// greeting is what the command says once it listens: all that a client needs. A
// token that was given through the environment stays there.
type greeting struct {
	baseURL      string
	dialect      string
	faults       []string
	caFile       string
	bundle       string // the CA beside the system's; blank where nobody asked for it
	appToken     string // blank where the environment has it
	controlURL   string // blank where there is no control plane
	controlToken string
	worlds       string
	seeded       string // who may log in, blank where no town was drawn
}

func (s *running) greeting(set settings, bundle string) greeting {
	g := greeting{
		baseURL: set.baseURL(s.listener.Addr()), dialect: set.dialect, faults: set.faults, caFile: s.trust.caFile, bundle: bundle,
		appToken: s.appToken, worlds: set.worlds,
	}
	town, err := seed.Parse(set.seed) // a town by hand is its author's to know
	if kept := s.keeper != nil && s.keeper.found; err == nil && !kept {
		g.seeded = fmt.Sprintf("%d users, such as %s; every password is %s", len(town.Users), town.Users[0].UserName, seed.DefaultPassword)
	}
	if s.plane != nil {
		g.controlURL, g.controlToken = "http://"+s.planeListen.Addr().String(), s.controlToken
	}
	return g
}

// print tells it as text for people, or as env or json for scripts.
func (g greeting) print(stdout io.Writer, form string) error {
	switch form {
	case "env":
		for _, v := range g.service().Variables() {
			fmt.Fprintf(stdout, "export %s=%s\n", v.Name, quote(v.Value))
		}
		return nil
	case "json":
		if err := json.NewEncoder(stdout).Encode(g.object()); err != nil {
			return fmt.Errorf("--print: %w", err)
		}
		return nil
	}
	for _, line := range []struct{ name, value string }{
		{"base URL", g.baseURL}, {"app token", g.appToken}, {"CA file", g.caFile}, {"dialect", g.dialect},
		{"fault", strings.Join(g.faults, ", ")}, {"seeded", g.seeded}, {"worlds", g.worlds}, {"control", g.controlURL}, {"control token", g.controlToken},
	} {
		if line.value != "" {
			fmt.Fprintf(stdout, "%-14s %s\n", line.name+":", line.value)
		}
	}
	if g.controlURL != "" {
		// The token is behind the #, which no browser sends anywhere.
		fmt.Fprintf(stdout, "%-14s %s/#token=%s\n", "console:", g.controlURL, g.controlToken)
	}
	fmt.Fprintf(stdout, "\nCreate a user:\n  %s\n", g.curl())
	return nil
}

func (g greeting) object() map[string]string {
	object := make(map[string]string)
	for name, value := range map[string]string{
		"base_url": g.baseURL, "app_token": g.appToken, "ca_file": g.caFile, "dialect": g.dialect,
		"control_url": g.controlURL, "control_token": g.controlToken,
	} {
		if value != "" {
			object[name] = value
		}
	}
	return object
}

// curl is a command that works under every dialect.
func (g greeting) curl() string {
	credentials := `"$REFSERVER_APP_TOKEN:"`
	if g.appToken != "" {
		credentials = quote(g.appToken + ":")
	}
	words := []string{"curl"}
	if g.caFile != "" {
		words = append(words, "--cacert", quote(g.caFile))
	}
	words = append(words, "-u", credentials, "-H", quote("Accept: application/json"), "-H", quote("Content-Type: application/json"),
		"-d", quote(`{"user_name":"ann","password":"secret","email":"ann@example.com"}`),
		quote(g.baseURL+"/0.2/users?withLogin=true"))
	return strings.Join(words, " ")
}

// quote makes one word of a text for a shell.
func quote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/socialfeed/conform/internal/shell"
	"github.com/socialfeed/conform/refserver/control/seed"
)

// greeting is printed once the command listens: all that a client needs. A token from the
// environment is not printed.
type greeting struct {
	baseURL      string
	dialect      string
	faults       []string
	caFile       string
	bundle       string // file of the CA and the system's roots; "" unless asked for
	appToken     string // blank where the environment has it
	controlURL   string // blank if there is no control plane
	controlToken string
	worlds       string
	seeded       string // who may log in; "" unless users were drawn
}

func (s *running) greeting(set settings, bundle string) greeting {
	g := greeting{
		baseURL: set.baseURL(s.listener.Addr()), dialect: set.dialect, faults: set.faults, caFile: s.trust.caFile, bundle: bundle,
		appToken: s.appToken, worlds: set.worlds,
	}
	data, err := seed.Parse(set.seed) // an error for a seed in a file, whose author knows its users
	if kept := s.keeper != nil && s.keeper.found; err == nil && !kept {
		g.seeded = fmt.Sprintf("%d users, such as %s; every password is %s", len(data.Users), data.Users[0].UserName, seed.DefaultPassword)
	}
	if s.plane != nil {
		g.controlURL, g.controlToken = "http://"+reachable(s.planeListen.Addr()), s.controlToken
	}
	return g
}

// print prints it as text for people, or as env or json for scripts.
func (g greeting) print(stdout io.Writer, form string) error {
	switch form {
	case "env":
		for _, v := range g.service().Variables() {
			name, err := shell.NameOf(v.Name)
			if err != nil {
				return fmt.Errorf("--print: %w", err)
			}
			line, err := shell.Line(shell.Export(name, shell.Lit(v.Value)))
			if err != nil {
				return fmt.Errorf("--print: %w", err)
			}
			fmt.Fprintln(stdout, line)
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
		// Browsers do not send what follows the #.
		fmt.Fprintf(stdout, "%-14s %s/#token=%s\n", "console:", g.controlURL, g.controlToken)
	}
	fmt.Fprintf(stdout, "\nCreate a user:\n  %s\n", g.curl())
	return nil
}

func (g greeting) object() map[string]string {
	object := map[string]string{
		"base_url": g.baseURL, "app_token": g.appToken, "ca_file": g.caFile, "dialect": g.dialect,
		"control_url": g.controlURL, "control_token": g.controlToken,
	}
	maps.DeleteFunc(object, func(_, value string) bool { return value == "" })
	return object
}

// curl is a command that works under every dialect.
func (g greeting) curl() string {
	credentials := shell.Lit(g.appToken + ":")
	if g.appToken == "" {
		credentials = shell.Joined(shell.Var(shell.Named("REFSERVER_APP_TOKEN")), shell.Lit(":"))
	}
	var words []shell.Word
	if g.caFile != "" {
		words = append(words, shell.Plain("--cacert"), shell.Lit(g.caFile))
	}
	words = append(words, shell.Plain("-u"), credentials, shell.Plain("-H"), shell.Lit("Accept: application/json"), shell.Plain("-H"), shell.Lit("Content-Type: application/json"),
		shell.Plain("-d"), shell.Lit(`{"user_name":"ann","password":"5f4dcc3b5aa765d61d8327deb882cf99","email":"ann@example.com"}`),
		shell.Lit(g.baseURL+"/0.2/users?withLogin=true"))
	return shell.MustLine(shell.Call("curl", words...))
}

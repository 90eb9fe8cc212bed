package control

import (
	"fmt"

	"github.com/socialfeed/conform/internal/shell"
)

// connection holds the address and tokens of a world, and example programs that use it. The
// programs read environment variables, so that no text of the world becomes part of one.
type connection struct {
	URL, Token, CAFile string
	Variables          string // lines of a shell that set the variables
	Programs           []connectProgram
}

// connectProgram is a client in one language.
type connectProgram struct{ Language, Text string }

// connection says how clients connect to a world.
func (p *Plane) connection(world *World) (connection, error) {
	c := connection{URL: p.service, Token: world.options.AppTokens[0], CAFile: p.authorityFile}
	var err error
	if c.Variables, err = shellVariables([]shellVariable{
		{"REFSERVER_URL", c.URL}, {"REFSERVER_APP_TOKEN", c.Token}, {"REFSERVER_CA_FILE", c.CAFile}, {"NODE_EXTRA_CA_CERTS", c.CAFile},
	}); err != nil {
		return c, err
	}
	for _, program := range []struct{ language, file string }{
		{"Shell (curl)", "connect.sh"}, {"Go", "connect.go.txt"}, {"JavaScript", "connect.mjs"}, {"Python", "connect.py"}, {"Java", "Client.java"},
	} {
		text, err := consoleFiles.ReadFile("console/connect/" + program.file)
		if err != nil {
			return c, fmt.Errorf("reading the client in %s: %w", program.language, err)
		}
		c.Programs = append(c.Programs, connectProgram{program.language, string(text)})
	}
	return c, nil
}

type shellVariable struct{ name, value string }

// shellVariables writes lines that export the variables that have a value.
func shellVariables(variables []shellVariable) (string, error) {
	var lines string
	for _, v := range variables {
		if v.value == "" {
			continue
		}
		name, err := shell.NameOf(v.name)
		if err != nil {
			return "", err
		}
		line, err := shell.Line(shell.Export(name, shell.Lit(v.value)))
		if err != nil {
			return "", err
		}
		lines += line + "\n"
	}
	return lines, nil
}

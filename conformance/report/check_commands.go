package report

import (
	"net/url"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/internal/shell"
)

// checkCommands takes out of a report that was read each command which is not of literals and variables
// alone, or sends something else than its exchange, or to somewhere else: a report may be forged, and
// people paste its commands.
func checkCommands(r *result.Report) {
	host := ""
	if r.Client == nil { // a client's own requests go where it sends them
		host = hostOf(r.Target.BaseURL)
	}
	for _, check := range r.EachCheck() {
		for i := range check.Exchanges {
			x := &check.Exchanges[i]
			x.Curl = checkedCommand(x, host)
		}
	}
}

// hostOf is the host of an address of HTTP without credentials, "" for any other text.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.Hostname()
}

// checkedCommand is the command of an exchange as the writer writes it, "" for one that it did not write.
// With a host, it is to send to that one.
func checkedCommand(x *result.Exchange, host string) string {
	words, input, ok := shell.ReadLine(x.Curl)
	if !ok || !isCurl(words, input != nil) {
		return ""
	}
	address := words[len(words)-1].Text()
	to := hostOf(address)
	if address != x.Request.URL || to == "" || strings.Contains(to, "$") || host != "" && to != host {
		return ""
	}
	command := shell.Run(words...)
	if input != nil {
		command = shell.Pipe(shell.Print(*input), command)
	}
	text, err := shell.Line(command)
	if err != nil {
		return ""
	}
	return text
}

// isCurl reports whether words are a call of curl with options that name no file but the authority, and
// an address.
func isCurl(words []shell.Word, input bool) bool {
	if len(words) < 2 || words[0].Text() != "curl" {
		return false
	}
	flags := []string{"-sS", "-i", "-I", "-k", "-g", "--path-as-is"}
	valued := []string{"-X", "-A", "-u", "-H", "--data-raw", "--cacert", "--data-binary"}
	for options := words[1 : len(words)-1]; len(options) > 0; options = options[1:] {
		option := options[0].Text()
		switch {
		case slices.Contains(flags, option):
			continue
		case !slices.Contains(valued, option) || len(options) < 2:
			return false
		}
		value := options[1].Text()
		switch option {
		case "-H":
			if strings.HasPrefix(value, "@") {
				return false
			}
		case "-u":
			if !strings.Contains(value, ":") { // curl would ask for a password
				return false
			}
		case "--data-binary":
			if value != "@-" || !input {
				return false
			}
		}
		options = options[1:]
	}
	return true
}

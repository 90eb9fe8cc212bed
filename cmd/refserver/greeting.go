package main

import (
	"fmt"
	"io"
	"net"
	"strings"
)

// greeting is what the command says once it listens: all that a client needs. A
// token that was given through the environment stays there.
type greeting struct {
	baseURL  string
	dialect  string
	fault    string // what the server does wrong on purpose, blank for nothing
	caFile   string
	appToken string // blank where the environment has it
}

func (g greeting) print(stdout io.Writer) {
	fmt.Fprintf(stdout, "base URL:  %s\n", g.baseURL)
	if g.appToken != "" {
		fmt.Fprintf(stdout, "app token: %s\n", g.appToken)
	}
	if g.caFile != "" {
		fmt.Fprintf(stdout, "CA file:   %s\n", g.caFile)
	}
	fmt.Fprintf(stdout, "dialect:   %s\n", g.dialect)
	if g.fault != "" {
		fmt.Fprintf(stdout, "fault:     %s\n", g.fault)
	}
	fmt.Fprintf(stdout, "\nCreate a user:\n  %s\n", g.curl())
}

func (g greeting) curl() string {
	credentials := `"$REFSERVER_APP_TOKEN:"`
	if g.appToken != "" {
		credentials = quote(g.appToken + ":")
	}
	words := []string{"curl"}
	if g.caFile != "" {
		words = append(words, "--cacert", quote(g.caFile))
	}
	words = append(words, "-u", credentials, "-H", quote("Content-Type: application/json"),
		"-d", quote(`{"user_name":"ann","password":"secret","email":"ann@example.com"}`),
		quote(g.baseURL+"/0.2/users?withLogin=true"))
	return strings.Join(words, " ")
}

// quote makes one word of a text for a shell.
func quote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// baseURL is an address that clients on this machine can reach.
func (set settings) baseURL(addr net.Addr) string {
	scheme := "https"
	if set.plainHTTP {
		scheme = "http"
	}
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return scheme + "://" + addr.String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

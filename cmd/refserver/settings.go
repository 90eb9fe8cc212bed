package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control"
	"github.com/socialfeed/conform/refserver/like"
	"github.com/socialfeed/conform/refserver/store"
)

// settings are the flags of the server, for serving and for exec.
type settings struct {
	addr      string
	plainHTTP bool
	certFile  string
	keyFile   string
	caFile    string
	caDir     string
	hosts     []string

	appTokens []string
	rateLimit int
	maxMemory string

	dialect  string
	like     string
	choose   []string
	faults   []string
	weather  []string
	seed     string
	seedFile string
	data     string
	dataSync bool

	dataFault string
	found     *store.State // what the file of --data held, for its fault
	clock     string
	worlds    string

	control string
	// controlHosts are the names under which the control plane answers other machines.
	controlHosts []string
	log          string
	print        string

	// stopWithInput stops the server when standard input ends.
	stopWithInput bool

	defaultControl bool // the control address is the default one

	fit *like.Fit // how the server comes near to the one of --like, nil without
}

const (
	defaultAddr    = "127.0.0.1:8443"
	defaultControl = "127.0.0.1:8444"
)

// flags defines the flags that serving and exec share.
func (set *settings) flags(flags *pflag.FlagSet) {
	flags.BoolVar(&set.plainHTTP, "http", false, "serve plain HTTP, for local tools that cannot do TLS")
	flags.StringVar(&set.certFile, "tls-cert", "", "`FILE` with your own certificate (PEM); default: a new one at each start")
	flags.StringVar(&set.keyFile, "tls-key", "", "`FILE` with the key of --tls-cert (PEM)")
	flags.StringVar(&set.caFile, "ca-out", "", "`FILE` to write the certificate authority to; default: a temporary file, removed on exit")
	flags.StringVar(&set.caDir, "ca-dir", "", "`DIR` to keep the certificate authority in, so that clients need to trust it only once (see: refserver trust)")
	flags.StringArrayVar(&set.hosts, "host", nil, "further host `NAME` or address for the certificate, repeatable")
	flags.StringArrayVar(&set.appTokens, "app-token", nil, "app `TOKEN` of an application, repeatable (or REFSERVER_APP_TOKEN and REFSERVER_SECOND_APP_TOKEN); default: a random one, which is printed")
	flags.IntVar(&set.rateLimit, "rate-limit", 1000, "`REQUESTS` a minute that each application may send in each category (write, query, delete); 0 is no limit")
	flags.StringVar(&set.maxMemory, "max-memory", "", "memory limit as `SIZE`, such as 512MiB; above it writes get 503; default: a quarter of the machine's memory")
	flags.StringVar(&set.dialect, "dialect", "default", "`NAME` of a set of choices for what the contract leaves open (--list-dialects); sets combine: lagging+uuid-ids")
	flags.StringVar(&set.like, "like", "", "behave like the server in this JSON report of conform (`FILE`) where the contract leaves it open; --choose overrides")
	flags.StringArrayVar(&set.choose, "choose", nil, "single choice as `NAME=VALUE`, repeatable, such as lag=10s (--list-choices)")
	flags.StringArrayVar(&set.faults, "fault", nil, "break one rule of the contract by the fault `NAME`, repeatable (--list-faults); one fault may hide another")
	flags.StringArrayVar(&set.weather, "weather", nil, "inject delays and failures by `RULE`, repeatable: delay=2s,on=21 · 429,after=5 · 500,on=18,nth=3 · cut=20 · reset · hang · html=502")
	flags.StringVar(&set.seed, "seed", "", "initial data as `SEED`: demo:users=50,events=10000,rand=7 generates demo data")
	flags.StringVar(&set.seedFile, "seed-file", "", "`FILE` with the initial data, as YAML")
	flags.StringVar(&set.data, "data", "", "`FILE` that keeps the data of the default world over restarts and crashes; one server at a time can use it")
	flags.BoolVar(&set.dataSync, "data-sync", false, "answer a write only once it is on the disk; without it a crash may lose the last 0.1 s")
	flags.StringVar(&set.dataFault, "data-fault", "", "`NAME` of a mistake in how --data is kept, for tests of what judges restarts")
	if err := flags.MarkHidden("data-fault"); err != nil {
		panic(err) // the flag is not declared: a mistake of ours
	}
	flags.StringVar(&set.clock, "clock", "", "stop the server's clock at `TIME` (RFC 3339); default: the clock runs")
	flags.StringVar(&set.worlds, "worlds", "", "give each app token that begins with `PREFIX` an isolated world")
}

// options turns the flags into the options of a fake. The second result is the app token to
// print, "" where it came from the environment.
func (set *settings) options() (control.Options, string, error) {
	var options control.Options
	if err := cmp.Or(set.checkSources(), set.checkAddr(), set.checkControl(), set.checkHosts(), set.checkWorlds()); err != nil {
		return options, "", err
	}
	server, appToken, err := set.server()
	if err != nil {
		return options, "", err
	}
	first, err := set.first(&server)
	if err != nil {
		return options, "", err
	}
	return control.Options{Server: server, First: first, WorldPrefix: set.worlds}, appToken, nil
}

// server are the options that all worlds share.
func (set *settings) server() (refserver.Options, string, error) {
	options := refserver.Options{RateLimit: set.rateLimit, AllowPlainHTTP: set.plainHTTP}
	if set.rateLimit < 0 {
		return options, "", fmt.Errorf("--rate-limit %d is negative", set.rateLimit)
	}
	if set.rateLimit == 0 {
		options.RateLimit = -1
	}
	var err error
	if options.MaxMemory, err = parseSize(set.maxMemory); err != nil {
		return options, "", fmt.Errorf("--max-memory %s: %w", set.maxMemory, err)
	}
	options.AppTokens = set.givenTokens()
	switch {
	case len(options.AppTokens) == 0:
		options.AppTokens = []string{refserver.NewAppToken()}
	case len(set.appTokens) == 0:
		return options, "", nil
	}
	return options, options.AppTokens[0], nil
}

// givenTokens are the app tokens of the flags, or else those of the environment.
func (set *settings) givenTokens() []string {
	if len(set.appTokens) > 0 {
		return set.appTokens
	}
	first, second := os.Getenv("REFSERVER_APP_TOKEN"), os.Getenv("REFSERVER_SECOND_APP_TOKEN")
	switch {
	case first == "":
		return nil
	case second == "":
		return []string{first}
	}
	return []string{first, second}
}

// parseSize reads a number of bytes such as 512MiB; "" is 0.
func parseSize(text string) (int64, error) {
	number, shift := text, 0
	for unit, bits := range map[string]int{"KiB": 10, "MiB": 20, "GiB": 30} {
		if cut, has := strings.CutSuffix(text, unit); has {
			number, shift = cut, bits
		}
	}
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(number, 10, 32)
	if err != nil || n <= 0 || shift == 0 {
		return 0, errors.New("it is a size such as 512MiB or 2GiB")
	}
	return n << shift, nil
}

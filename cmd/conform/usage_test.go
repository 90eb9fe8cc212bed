package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestWrongUse says in a word what is wrong with the command line, touches no
// target, and exits with the code of a mistake of the user's.
func TestWrongUse(t *testing.T) {
	t.Parallel()
	base := []string{"--base-url", "https://127.0.0.1:1", "--app-token", appToken}
	toTarget := func(more ...string) []string { return append(base[:len(base):len(base)], more...) }
	nowhere := filepath.Join(t.TempDir(), "no-such-folder", "file")
	for name, wrong := range map[string]struct {
		args []string
		says string
	}{
		"mistyped flag":               {[]string{"--bse-url", "https://x"}, "--base-url"},
		"mistyped short flag":         {[]string{"-x"}, "-x"},
		"mistyped flag of rules":      {[]string{"rules", "--fromat", "json"}, "--format"},
		"flag without its value":      {[]string{"--rule"}, "--rule"},
		"unknown command":             {[]string{"rulez"}, "did you mean rules"},
		"argument too many":           {[]string{"rules", "feed"}, "feed"},
		"rule that matches nothing":   {toTarget("--rule", "feed.purge.folowers"), "feed.purge.followers"},
		"second rule of two":          {toTarget("--rule", "feed.*", "--rule", "fed.*"), "fed.*"},
		"skip that matches nothing":   {toTarget("--skip", "x.*"), "--skip x.*"},
		"pattern that is none":        {toTarget("--rule", "feed.["), "feed.["},
		"unknown part":                {toTarget("--part", "feeds"), "did you mean feed?"},
		"unknown endpoint":            {toTarget("--endpoint", "23"), "1 to 22"},
		"unknown level":               {toTarget("--level", "mus"), "did you mean must?"},
		"level by a pattern":          {toTarget("--level", "m*"), "m*"},
		"filters that exclude all":    {toTarget("--part", "feed", "--skip", "feed.*"), "no rule to judge"},
		"needs an option":             {toTarget("--rule", "limits.rate.*"), "--rate-limits"},
		"no token":                    {[]string{"--base-url", "https://127.0.0.1:1"}, "CONFORM_APP_TOKEN"},
		"token with a colon":          {[]string{"--base-url", "https://127.0.0.1:1", "--app-token", "hunter:2"}, "colon"},
		"base URL without scheme":     {[]string{"--base-url", "example.com:8443", "--app-token", appToken}, "must begin with https://"},
		"second token is the first":   {toTarget("--second-app-token", appToken), "the second app token is the first one"},
		"part for a rule":             {toTarget("--rule", "users.create"), "did you mean 'users.create.*'?"},
		"two reports to one file":     {toTarget("--report", "json=a.out", "--report", "html=./a.out"), "two reports would go to ./a.out"},
		"base URL of another kind":    {[]string{"--base-url", "ftp://example.com", "--app-token", appToken}, "https://"},
		"base URL with credentials":   {[]string{"--base-url", "https://ann:hunter2@example.com", "--app-token", appToken}, "credentials"},
		"base URL beyond parsing":     {[]string{"--base-url", "https://ann:hunter2@exa mple.com", "--app-token", appToken}, "not a valid URL"},
		"base URL with no such port":  {[]string{"--base-url", "https://127.0.0.1:99999", "--app-token", appToken}, "the port 99999: ports are 1 to 65535"},
		"base URL with a query":       {[]string{"--base-url", "https://example.com?token=hunter2", "--app-token", appToken}, "query"},
		"command of other letters":    {[]string{"nxt"}, "did you mean next?"},
		"beginning of a command":      {[]string{"repro"}, "did you mean reproduce?"},
		"command that is empty":       {[]string{"--exec", " "}, "--exec is empty"},
		"base URL that is empty":      {[]string{"--base-url", "", "--app-token", appToken}, "--base-url"},
		"token without a target":      {[]string{"--app-token", appToken}, "--base-url"},
		"CA file without a target":    {[]string{"--ca-cert", file(t, nil)}, "--base-url"},
		"shard of nothing":            {toTarget("--shard", "1/0"), "--shard"},
		"shard beyond the last":       {toTarget("--shard", "4/3"), "--shard"},
		"shard before the first":      {toTarget("--shard", "0/3"), "--shard"},
		"shard that is no fraction":   {toTarget("--shard", "2"), "--shard"},
		"shard with more behind":      {toTarget("--shard", "1/3/5"), "--shard"},
		"rate limits in a shard":      {toTarget("--rate-limits", "--shard", "1/3"), "--rate-limits"},
		"no jobs":                     {toTarget("--jobs", "0"), "--jobs"},
		"too many jobs":               {toTarget("--jobs", "65"), "--jobs"},
		"report without a path":       {toTarget("--report", "json"), "such as html=conform.html"},
		"report to an empty path":     {toTarget("--report", "json="), "FORMAT=PATH"},
		"report format":               {toTarget("--report", "yaml=report"), "unknown format"},
		"report folder":               {toTarget("--report", "json="+filepath.Join(file(t, nil), "report.json")), "is not a folder"},
		"report to a folder":          {toTarget("--report", "json="+t.TempDir()), "is a folder"},
		"report where none can be":    {toTarget("--report", "json=/proc/report.json"), "json=/proc/report.json: "},
		"reports that both go out":    {toTarget("--report", "json=-", "--report", "text=-"), "only one report"},
		"gate":                        {toTarget("--fail-on", "choice"), "--fail-on"},
		"missing CA file":             {toTarget("--ca-cert", nowhere), "--ca-cert"},
		"CA file that is no PEM":      {toTarget("--ca-cert", file(t, []byte("certificate"))), "CA file"},
		"empty CA file":               {toTarget("--ca-cert", file(t, nil)), "CA file"},
		"CA file without an end":      {toTarget("--ca-cert", "/dev/zero"), "longer than"},
		"negative rate":               {toTarget("--rate", "-1"), "--rate"},
		"negative limit":              {toTarget("--rate-limit-of", "-1"), "--rate-limit-of"},
		"negative settle time":        {toTarget("--settle", "-1s"), "--settle"},
		"negative request time":       {toTarget("--request-timeout", "-1s"), "--request-timeout"},
		"negative time":               {toTarget("--timeout", "-1s"), "--timeout"},
		"negative wait":               {toTarget("--wait", "-1s"), "--wait"},
		"no rate at all":              {toTarget("--rate", "0"), "--rate"},
		"no time to settle":           {toTarget("--settle", "0s"), "--settle"},
		"time without a unit":         {toTarget("--settle", "10"), "--settle"},
		"duration that is a number":   {toTarget("--settle", "3"), "did you mean 3s?"},
		"duration with a blank":       {toTarget("--timeout", "5 m"), "did you mean 5m?"},
		"deep without a unit":         {toTarget("--deep", "5"), "did you mean --deep 5s?"},
		"flag of a command":           {[]string{"diff", "a", "b", "--formt", "x"}, "did you mean --format? see conform diff --help"},
		"duration that is a word":     {toTarget("--wait", "soon"), "--wait takes a duration, such as 10s or 2m"},
		"number that is a word":       {toTarget("--jobs", "many"), "--jobs takes a whole number"},
		"switch with another value":   {toTarget("--insecure=maybe"), "--insecure takes true or false"},
		"negative failures":           {toTarget("--max-failures", "-1"), "0 never stops"},
		"two stops":                   {toTarget("--fail-fast", "--max-failures", "3"), "leave one out"},
		"last failed without report":  {toTarget("--last-failed"), "--last-failed report.json"},
		"last failed that is not":     {toTarget("--last-failed", nowhere+".json"), "no such file"},
		"last failed that is none":    {toTarget("--last-failed=" + file(t, []byte("{}"))), "its schema is"},
		"watching what is not there":  {toTarget("--watch", nowhere), "--watch " + nowhere},
		"watching our own server":     {[]string{"--watch", "."}, "give --exec"},
		"own server and a target":     {toTarget("--self"), "--base-url names another: leave one out"},
		"no target where one must be": {[]string{"--require-target"}, "--exec 'CMD'; --self"},
		"a command for judging":       {[]string{"jugde"}, "without a command: conform --base-url URL"},
		"two letters swapped":         {[]string{"--config", file(t, []byte("jbos: 3"))}, "did you mean jobs?"},
		"completion of no shell":      {[]string{"completion", "fsh"}, "takes bash, zsh, fish or powershell"},
		"part as an argument":         {[]string{"feed"}, "did you mean --part feed?"},
		"rule as an argument":         {[]string{"feed.order"}, "did you mean --rule 'feed.order'?"},
		"endpoint as an argument":     {[]string{"21"}, "did you mean --endpoint 21?"},
		"target as an argument":       {[]string{"https://feeds.example.com"}, "--base-url URL"},
		"report as an argument":       {[]string{"report.json"}, "conform next report.json"},
		"host without a scheme":       {[]string{"--base-url", "127.0.0.1:8443", "--app-token", appToken}, "it reads https://host"},
		"next of two reports":         {[]string{"next", "a.json", "b.json"}, "next takes one JSON report"},
		"next of nothing":             {[]string{"next"}, "next needs a target"},
		"next of no report":           {[]string{"next", nowhere}, "no such file"},
		"next beside another":         {append([]string{"next", "--report", "text=-"}, base...), "next writes to stdout"},
		"unknown part of contract":    {[]string{"contract", "prices"}, "its parts: What the service does"},
		"diff of one report":          {[]string{"diff", "a.json"}, "two JSON reports"},
		"diff of what is none":        {[]string{"diff", nowhere, nowhere}, "no such file"},
		"diff format":                 {[]string{"diff", "a", "b", "--format", "html"}, "--format takes text, json, markdown"},
		"waive without report":        {[]string{"waive"}, "waive takes one JSON report"},
		"waivers that are not there":  {toTarget("--waivers", nowhere), "--waivers"},
		"waivers that are none":       {toTarget("--waivers", file(t, []byte("rule: feed.order"))), "a list is wanted"},
		"replay without a rule":       {[]string{"replay", nowhere}, "no such file"},
		"report without a file":       {[]string{"report", "html"}, "conform report html conform.json"},
		"merge of nothing":            {[]string{"merge"}, "shard-*.json"},
		"init without a target":       {[]string{"init"}, "--base-url"},
		"configuration not there":     {[]string{"--config", nowhere}, "no such file"},
		"configuration with a typo":   {[]string{"--config", file(t, []byte("job: 3"))}, "did you mean jobs?"},
		"unknown rule explained":      {[]string{"explain", "feed.purge.folower"}, "feed.purge.followers"},
		"endpoint beyond the last":    {[]string{"explain", "23"}, "endpoints are 1 to 22"},
		"endpoint before the first":   {[]string{"explain", "#0"}, "endpoints are 1 to 22"},
		"the README's placeholder":    {[]string{"explain", "RULE"}, "RULE stands for a rule's id, such as feed.order"},
		"placeholder of a rule":       {toTarget("--rule", "RULE"), "conform rules lists them"},
		"rule of a part that is not":  {toTarget("--rule", "feed.ordr"), "did you mean feed.order? conform rules lists them"},
		"rule that is none at all":    {toTarget("--rule", "zzzz.nope"), "conform rules lists them"},
		"form before the report":      {[]string{"reproduce", file(t, []byte("{}")), "--rule", "feed.order", "--as", "perl"}, "--as takes "},
		"report that is cut off":      {[]string{"next", file(t, []byte(`{"schema":"conform.report/v1","too`))}, "it is cut off"},
		"report of a newer version":   {[]string{"next", file(t, []byte(`{"schema":"conform.report/v9"}`))}, "conform.report/v9 is newer than this version of conform"},
		"corpus that is none":         {toTarget("--corpus", file(t, []byte("nonsense"))), "no drawn story of conform"},
		"client's command not there":  {[]string{"client", "--", "/no/such/command"}, "there is no command /no/such/command"},
		"client's command no program": {[]string{"client", "--", "no-such-program-here"}, "there is no command no-such-program-here"},
		"nothing explained":           {[]string{"explain"}, "explain takes one rule"},
		"unknown format of rules":     {[]string{"rules", "--format", "yaml"}, "yaml"},
		"unknown format of inputs":    {[]string{"rules", "--inputs", "--format", "yaml"}, "yaml"},
		"inputs of a client":          {[]string{"rules", "--client", "--inputs"}, "leave out --client"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := conform(t, wrong.args...)
			o.wants(t, exitUsage)
			const most = 3
			o.fewLines(t, most)
			if !strings.Contains(o.stderr, wrong.says) || o.stdout != "" {
				t.Errorf("stderr %q does not say %q, or stdout %q is not empty", o.stderr, wrong.says, o.stdout)
			}
			if strings.Contains(o.stderr, "hunter") || strings.Contains(o.stderr, appToken) {
				t.Errorf("a secret is echoed: %s", o.stderr)
			}
		})
	}
}

// TestNothingIsLessThanNothing gives every flag that takes an amount one below zero.
func TestNothingIsLessThanNothing(t *testing.T) {
	t.Parallel()
	base := []string{"--base-url", "https://127.0.0.1:1", "--app-token", appToken}
	root := rootCommand(streams{})
	amounts := 0
	for name, command := range map[string]struct {
		before, after []string // the flag
	}{
		"conform": {base, nil},
		"client":  {[]string{"client"}, []string{"--", "true"}},
		"watch":   {[]string{"watch", "--upstream", "https://127.0.0.1:1"}, nil},
		"merge":   {[]string{"merge", "shard-1.json"}, nil},
		"init":    {append([]string{"init"}, base...), nil},
	} {
		flags := root.Flags()
		if name != root.Name() {
			flags = subcommand(t, root, name).Flags()
		}
		flags.VisitAll(func(f *pflag.Flag) {
			least := map[string]string{"int": "-1", "duration": "-1s"}[f.Value.Type()]
			if least == "" || f.Hidden {
				return
			}
			amounts++
			t.Run(name+" "+f.Name, func(t *testing.T) {
				t.Parallel()
				o := conform(t, slices.Concat(command.before, []string{"--" + f.Name + "=" + least}, command.after)...)
				o.wants(t, exitUsage)
				if !strings.Contains(o.stderr, "--"+f.Name) {
					t.Errorf("%q does not name the flag", o.stderr)
				}
			})
		})
	}
	if amounts < 10 {
		t.Errorf("%d flags were tried", amounts)
	}
}

func subcommand(t *testing.T, root *cobra.Command, name string) *cobra.Command {
	t.Helper()
	found, _, err := root.Find([]string{name})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestEmptyBaseURLInTheEnvironment is a pipeline whose variable was never set: to
// judge the embedded server then would be green for nothing.
func TestEmptyBaseURLInTheEnvironment(t *testing.T) {
	t.Parallel()
	cmd := command(t)
	cmd.Env = append(cmd.Env, "CONFORM_BASE_URL=", "CONFORM_APP_TOKEN="+appToken)
	o := finish(t, cmd)
	o.wants(t, exitUsage)
	if !strings.Contains(o.stderr, "CONFORM_BASE_URL") {
		t.Errorf("stderr %q does not name CONFORM_BASE_URL", o.stderr)
	}
}

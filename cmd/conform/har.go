package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/har"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/conformance/watch"
	"github.com/spf13/cobra"
)

// harSettings are what the flags of conform har say.
type harSettings struct {
	settings
	baseURL string
}

// harCommand judges both sides of recorded traffic.
func harCommand(std streams) *cobra.Command {
	var s harSettings
	cmd := &cobra.Command{
		Use:   "har FILE...",
		Short: "Judge both sides of recorded traffic: HTTP archives of browsers and proxies",
		Long: `har judges traffic that a browser or a proxy recorded, like watch does. What was taken out of
an archive (Authorization, cookies, bodies) is unjudged, and never green.

Exit: 0 conformant · 1 not conformant · 2 usage · 3 no verdict: nothing was seen, or
something could not be judged`,
		Example: `  conform har session.har
  conform har --base-url https://feeds.example.com --report html=traffic.html *.har`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("har takes HTTP archives, such as session.har")
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"har"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return judgeArchives(&s, args, std)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&s.baseURL, "base-url", "", "`URL` of the service; without one, whatever was asked for an endpoint of the contract")
	f.BoolVar(&s.config.Target.AllowHTTP, "allow-http", false, "the client was told to speak plain HTTP")
	f.StringVar(&s.failOn, "fail-on", "must", "what gates: must, or should as well")
	s.bindOutputs(cmd)
	return cmd
}

func judgeArchives(s *harSettings, paths []string, std streams) error {
	base, err := url.Parse(s.baseURL)
	switch {
	case err != nil || s.baseURL != "" && base.Host == "":
		return errors.New("--base-url takes https://host[:port][/prefix]")
	case s.failOn != string(rules.Must) && s.failOn != string(rules.Should):
		return fmt.Errorf("--fail-on takes must or should, got %q", s.failOn)
	}
	if err := s.readWaivers(); err != nil {
		return err
	}
	outputs, err := openOutputs(s.settings, std)
	if err != nil {
		return err
	}
	var archives []*har.Traffic
	for _, path := range paths {
		archive, err := readArchive(path, std)
		if err != nil {
			return err
		}
		archives = append(archives, archive)
	}
	traffic := har.Join(archives...)
	traffic.Of(base.Scheme, base.Host, base.Path)
	catalogue, err := watch.Catalogue()
	if err != nil {
		return err
	}
	began := time.Now()
	observer := watch.NewObserver(catalogue, clients.Options{Skew: traffic.Skew, BasePath: base.Path, HTTP: s.config.Target.AllowHTTP})
	for _, x := range traffic.Exchanges {
		observer.See(x)
	}
	report := &result.Report{
		Tool: result.Tool{Version: version()}, Target: result.Target{BaseURL: servicesOf(traffic, base)}, StartedAt: began.UTC(),
		DurationMS: time.Since(began).Milliseconds(), FailOn: rules.Level(s.failOn),
	}
	if err := observer.Report(report); err != nil {
		return err
	}
	if traffic.LeftOut > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("%d entries were left out: of other services, from a cache, or unreadable", traffic.LeftOut))
	}
	return s.conclude(report, catalogue, outputs, std)
}

func readArchive(path string, std streams) (*har.Traffic, error) {
	if path == "-" {
		return har.Read(std.in)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening an archive: %w", err)
	}
	defer file.Close()
	traffic, err := har.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return traffic, nil
}

// servicesOf names the service whose traffic it is.
func servicesOf(t *har.Traffic, base *url.URL) string {
	if base.Host != "" {
		return base.Redacted()
	}
	if len(t.Exchanges) == 0 {
		return "no service"
	}
	return t.Exchanges[0].Scheme + "://" + t.Exchanges[0].Host
}

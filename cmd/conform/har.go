package main

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/har"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/watch"
	"github.com/spf13/cobra"
)

// harSettings are the flags of conform har.
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
		Args: arguments(1, many, "har takes HTTP archives, such as session.har"),
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
	s.bindFailOn(f)
	s.bindOutputs(cmd)
	return cmd
}

func judgeArchives(s *harSettings, paths []string, std streams) error {
	base, err := url.Parse(s.baseURL)
	if err != nil || s.baseURL != "" && base.Host == "" {
		return errors.New("--base-url takes https://host[:port][/prefix]")
	}
	if err := cmp.Or(s.checkFailOn(), s.readWaivers()); err != nil {
		return err
	}
	outputs, err := openOutputs(s.settings, std)
	if err != nil {
		return err
	}
	var archives []*har.Traffic
	for _, path := range paths {
		archive, err := readFrom(anywhere{}, path, std, har.Read)
		if err != nil {
			return err
		}
		archives = append(archives, archive)
	}
	traffic := har.Join(archives...)
	traffic.Of(base.Scheme, base.Host, base.Path)
	catalogue := watch.Catalogue()
	began := time.Now()
	observer := watch.NewObserver(catalogue, clients.Options{Skew: traffic.Skew, BasePath: base.Path, HTTP: s.config.Target.AllowHTTP})
	for _, x := range traffic.Exchanges {
		observer.See(x)
	}
	report := s.reportOf(result.Target{BaseURL: servicesOf(traffic, base)}, began)
	if err := observer.Report(report); err != nil {
		return err
	}
	if traffic.LeftOut > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("%d entries were left out: of other services, from a cache, or unreadable", traffic.LeftOut))
	}
	s.applyToTraffic(report, catalogue)
	return conclude(report, outputs, std)
}

// servicesOf is the base URL of the service in the traffic.
func servicesOf(t *har.Traffic, base *url.URL) string {
	if base.Host != "" {
		return base.Redacted()
	}
	if len(t.Exchanges) == 0 {
		return "no service"
	}
	return t.Exchanges[0].Scheme + "://" + t.Exchanges[0].Host
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
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
	memory  trafficMemory
	seed    seedOut
}

// harCommand judges both sides of recorded traffic.
func harCommand(std streams) *cobra.Command {
	var s harSettings
	cmd := &cobra.Command{
		Use:   "har FILE...",
		Short: "Judge both sides of recorded traffic: HTTP archives of browsers and proxies",
		Long: `har judges traffic that a browser or a proxy recorded, as watch does. Rules that need data which the
archive lacks (Authorization, cookies, bodies) are reported as not judged, never as passed.

Exit: 0 conformant · 1 not conformant · 2 usage · 3 no verdict: the archive has no traffic of the
service, or something could not be judged`,
		Example: `  conform har session.har
  conform har --base-url https://feeds.example.com --report html=traffic.html *.har`,
		Args: arguments(1, many, "har takes HTTP archives, such as session.har"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"har"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return judgeArchives(cmd.Context(), &s, args, std)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&s.baseURL, "base-url", "", "`URL` of the service; without one, whatever was asked for an endpoint of the contract")
	f.BoolVar(&s.config.Target.AllowHTTP, "allow-http", false, "the client speaks plain HTTP")
	s.memory.bind(f)
	s.bindFailOn(f)
	s.bindOutputs(cmd)
	s.seed.bind(f)
	return cmd
}

func judgeArchives(ctx context.Context, s *harSettings, paths []string, std streams) error {
	base, err := url.Parse(s.baseURL)
	if err != nil || s.baseURL != "" && base.Host == "" {
		return errors.New("--base-url takes https://host[:port][/prefix]")
	}
	if err := cmp.Or(s.checkFailOn(), s.memory.check(), s.readWaivers()); err != nil {
		return err
	}
	outputs, err := openOutputs(s.settings, std)
	if err != nil {
		return err
	}
	began := time.Now()
	var archives []*har.Traffic
	for _, path := range paths {
		archive, err := openArchive(ctx, path, std)
		if err != nil {
			return unlessInterrupted(ctx, err)
		}
		defer archive.Close()
		traffic, err := har.Read(ctx, archive, har.Service{Scheme: base.Scheme, Host: base.Host, BasePath: base.Path})
		if err != nil {
			return unlessInterrupted(ctx, fmt.Errorf("%s: %w", path, err))
		}
		archives = append(archives, traffic)
	}
	traffic := har.Join(archives...)
	catalogue := watch.Catalogue()
	observer := watch.NewObserver(catalogue, clients.Options{Skew: traffic.Skew, BasePath: base.Path, HTTP: s.config.Target.AllowHTTP})
	note := s.memory.follow(observer, traffic, len(archives))
	if err := s.seed.begin(base.Path); err != nil {
		return err
	}
	if err := traffic.Each(ctx, func(x *clients.Exchange) { s.seed.see(x); observer.See(x) }); err != nil {
		return unlessInterrupted(ctx, err)
	}
	if err := s.seed.write(std); err != nil {
		return err
	}
	report := s.reportOf(result.Target{BaseURL: servicesOf(traffic, base)}, began)
	if err := observer.Report(report); err != nil {
		return err
	}
	if note != "" {
		report.Notes = append(report.Notes, note)
	}
	if traffic.LeftOut > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("%d entries were left out: of other services, from a cache, or unreadable", traffic.LeftOut))
	}
	s.applyToTraffic(report, catalogue)
	return conclude(report, outputs, std)
}

// unlessInterrupted is an error, or the interruption that caused it.
func unlessInterrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return noVerdict{interruption(ctx)}
	}
	return err
}

// openArchive opens an archive to be read more than once: anything but a plain file is copied first,
// to a file that is gone when it is closed.
func openArchive(ctx context.Context, path string, std streams) (*archiveFile, error) {
	from := std.in
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, err // os errors name the file
		}
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			return &archiveFile{File: file}, nil
		}
		defer file.Close()
		from = file
	}
	held, err := os.CreateTemp("", "conform-har-")
	if err != nil {
		return nil, fmt.Errorf("holding the archive: %w", err)
	}
	copied := &archiveFile{File: held, temporary: true}
	std.last.add(func() { _ = os.Remove(held.Name()) })
	done := make(chan error, 1)
	go func() { // which may wait for somebody to type
		_, err := io.Copy(held, io.LimitReader(from, har.MaxFile+1))
		done <- err
	}()
	select {
	case err = <-done:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err != nil {
		copied.Close()
		return nil, fmt.Errorf("holding the archive: %w", err)
	}
	return copied, nil
}

// archiveFile is an archive that is being read.
type archiveFile struct {
	*os.File
	temporary bool
}

// Close closes the file, and removes it if it is a copy.
func (f *archiveFile) Close() error {
	err := f.File.Close()
	if f.temporary {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// servicesOf is the base URL of the service in the traffic.
func servicesOf(t *har.Traffic, base *url.URL) string {
	if base.Host != "" {
		return base.Redacted()
	}
	return cmp.Or(t.Service(), "no service")
}

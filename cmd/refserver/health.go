package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"
)

// newHealth is the command that asks a running server whether it serves, for containers without a shell.
func newHealth() *cobra.Command {
	var control string
	var timeout time.Duration
	command := &cobra.Command{
		Use:   "health",
		Short: "Ask a running server whether it serves, for health checks of containers",
		Long: `health asks the control plane of a running server for /healthz. It needs no token.

Exit: 0 it serves · 1 it does not · 2 usage`,
		Example: "  refserver health\n  refserver health --control 127.0.0.1:9444",
		Args:    cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if _, _, err := net.SplitHostPort(control); err != nil {
				return fmt.Errorf("--control %s: it is HOST:PORT", control)
			}
			ctx, cancel := context.WithTimeout(command.Context(), timeout)
			defer cancel()
			if err := askHealth(ctx, control); err != nil {
				return fmt.Errorf("%w: %w", errNotServing, err)
			}
			fmt.Fprintln(command.OutOrStdout(), "ok")
			return nil
		},
	}
	command.Flags().StringVar(&control, "control", defaultControl, "`HOST:PORT` of the control plane to ask")
	command.Flags().DurationVar(&timeout, "timeout", 2*time.Second, "how long to wait for the answer")
	return command
}

// askHealth returns nil if the control plane at an address says that it serves.
func askHealth(ctx context.Context, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/healthz", nil)
	if err != nil {
		return err
	}
	response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<10)) // the status is the answer
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("GET http://%s/healthz answers %d", address, response.StatusCode)
	}
	return nil
}

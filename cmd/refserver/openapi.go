package main

import (
	"fmt"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/socialfeed/conform/refserver/control/openapi"
)

// newOpenAPI is the command that prints the contract for tools.
func newOpenAPI() *cobra.Command {
	var format, baseURL string
	command := &cobra.Command{
		Use:     "openapi",
		Short:   "Print the contract as an OpenAPI document, a .http file or a Postman collection",
		Example: "  refserver openapi > openapi.yaml\n  refserver openapi --format http > service.http",
		Args:    cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			document, err := contractAs(format, baseURL)
			if err != nil {
				return err
			}
			fmt.Fprintln(command.OutOrStdout(), document)
			return nil
		},
	}
	command.Flags().StringVar(&format, "format", "yaml", "`FORMAT`: yaml, json, http or postman")
	command.Flags().StringVar(&baseURL, "base-url", "https://"+defaultAddr, "`URL` of the service")
	return command
}

// address matches the base URLs that mean nothing else in any of the formats.
var address = regexp.MustCompile(`^https?://[A-Za-z0-9._~:/%\[\]-]+$`)

func contractAs(format, baseURL string) (string, error) {
	if !address.MatchString(baseURL) {
		return "", fmt.Errorf("--base-url %q is not an address such as https://127.0.0.1:8443", baseURL)
	}
	switch format {
	case "yaml":
		return string(openapi.YAML(baseURL)), nil
	case "json":
		return string(openapi.JSON(baseURL)), nil
	case "http":
		return openapi.HTTPFile(openapi.Operations(), baseURL), nil
	case "postman":
		return string(openapi.Postman(openapi.Operations(), baseURL)), nil
	}
	return "", fmt.Errorf("--format %s: it is yaml, json, http or postman", format)
}

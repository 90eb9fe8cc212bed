package main

import (
	"fmt"

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
	command.Flags().StringVar(&format, "format", "yaml", "`yaml`, json, http or postman")
	command.Flags().StringVar(&baseURL, "base-url", "https://"+defaultAddr, "`URL` of the service")
	return command
}

func contractAs(format, baseURL string) (string, error) {
	operations, err := openapi.Operations()
	if err != nil {
		return "", err
	}
	var text []byte
	switch format {
	case "yaml":
		text = openapi.YAML()
	case "json":
		text, err = openapi.JSON(baseURL)
	case "http":
		text = []byte(openapi.HTTPFile(operations, baseURL))
	case "postman":
		text, err = openapi.Postman(operations, baseURL)
	default:
		err = fmt.Errorf("--format %s: it is yaml, json, http or postman", format)
	}
	return string(text), err
}

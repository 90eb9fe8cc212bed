// Package generated is the client that oapi-codegen makes of the contract.
package generated

//go:generate sh -c "refserver openapi > openapi.yaml"
//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -generate types,client -package generated -o client.go openapi.yaml

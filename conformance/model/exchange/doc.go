// Package exchange has what passes between the judge and a target: a Request and its Response, without the wire.
package exchange

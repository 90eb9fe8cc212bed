package refserver

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// mediaType is the media type of all bodies.
const mediaType = "application/json"

// checkAccept refuses requests that cannot take JSON (transport item 9).
func (s *Server) checkAccept(_ http.ResponseWriter, q *request) error {
	accept := strings.Join(q.Header["Accept"], ",")
	if accept == mediaType {
		return nil
	}
	if strings.TrimSpace(accept) == "" && !s.choices.RequireAccept {
		return nil
	}
	if acceptsJSON(accept, !s.choices.RequireAccept) {
		return nil
	}
	return &problem{status: http.StatusNotAcceptable, code: codeAccept, message: "responses are application/json only"}
}

// acceptsJSON reads an Accept header: the most specific range that covers JSON
// decides, and a weight of 0 refuses.
func acceptsJSON(accept string, wildcards bool) bool {
	weights := make(map[string]float64)
	for entry := range strings.SplitSeq(accept, ",") {
		mediaRange, params, err := mime.ParseMediaType(entry)
		if err != nil {
			continue
		}
		weight := 1.0
		if q, given := params["q"]; given {
			if weight, err = strconv.ParseFloat(q, 64); err != nil {
				continue
			}
		}
		weights[mediaRange] = max(weight, weights[mediaRange])
	}
	covering := []string{"application/json"}
	if wildcards {
		covering = append(covering, "application/*", "*/*")
	}
	for _, mediaRange := range covering {
		if weight, given := weights[mediaRange]; given {
			return weight > 0
		}
	}
	return false
}

// checkContentType refuses bodies that are not declared as JSON (the Errors part, 415).
func (s *Server) checkContentType(_ http.ResponseWriter, q *request) error {
	declared := q.Header.Get("Content-Type")
	if !takesBody(q.Method) || declared == mediaType || declared == "" && q.ContentLength == 0 {
		return nil
	}
	given, params, err := mime.ParseMediaType(declared)
	charset, said := params["charset"]
	if err == nil && given == mediaType && (!said || strings.EqualFold(charset, "utf-8")) {
		return nil
	}
	return &problem{status: http.StatusUnsupportedMediaType, code: codeContentType, message: "the Content-Type must be application/json in UTF-8"}
}

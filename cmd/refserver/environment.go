package main

import "github.com/socialfeed/conform/refserver/child"

// service is what a command is told.
func (g greeting) service() child.Service {
	return child.Service{
		BaseURL: g.baseURL, AppToken: g.appToken, CAFile: g.caFile, Bundle: g.bundle, ControlURL: g.controlURL, ControlToken: g.controlToken,
	}
}

// bundle writes the authority beside the system's roots, and returns the file's
// path, blank where nothing needs trust.
func (s *running) bundle() (string, error) {
	if s.trust.caPEM == nil {
		return "", nil
	}
	return child.Bundle(s.trust.caPEM)
}

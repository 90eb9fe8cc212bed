package main

import "github.com/socialfeed/conform/refserver/child"

// service is the server as the environment of a command.
func (g greeting) service() child.Service {
	return child.Service{
		BaseURL: g.baseURL, AppToken: g.appToken, CAFile: g.caFile, Bundle: g.bundle, ControlURL: g.controlURL, ControlToken: g.controlToken,
	}
}

// bundle writes the authority and the system's roots to a temporary file, and returns its
// path, "" if there is no authority.
func (s *running) bundle() (string, error) {
	if s.trust.caPEM == nil {
		return "", nil
	}
	return child.Bundle(s.trust.caPEM)
}

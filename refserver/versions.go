package refserver

import "net/http"

type versionView struct {
	Version string `json:"version"`
	Status  string `json:"status"`
}

// versions is endpoint 22 (the contract's Versioning part, item 2).
func (s *Server) versions(*request) (reply, error) {
	return reply{http.StatusOK, []versionView{{"0.1", "disabled"}, {"0.2", "current"}}}, nil
}

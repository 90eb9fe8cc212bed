package refserver

// Store is what the handlers read and write.
func (s *Server) Store() Store { return s.store }

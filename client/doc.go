// Package client is a typed client of the Social Activity Feed Service: all 22
// endpoints of its version 0.2.
//
//	c, err := client.New(client.Config{BaseURL: baseURL, AppToken: appToken, UserAgent: "my-app/1.0"})
//	if err != nil {
//		return err
//	}
//	s, err := c.Login(ctx, client.Credentials{UserName: "ada", Password: hashed})
//	if errors.Is(err, client.ErrUnauthorized) {
//		return askAgain()
//	}
//	_, err = s.Connect(ctx, friend.ID, client.Friend)
//	_, err = s.CreateEvent(ctx, client.EventFields{Verb: "like", Object: &client.Object{ID: "song-1"}})
//	events, err := s.Feed(ctx)
//
// A [Client] calls what the app token alone opens; a [Session], which a login
// returns, calls the rest. Fields and endpoints that this package does not know
// yet are reached through [Client.Do] and [Session.Do].
//
// # Errors
//
// An answer that is not a success is an [*Error], which keeps the status, the
// header and the body; compare it with errors.Is to a [Status] such as
// [ErrNotFound]. A success with an unexpected body is a [*DecodeError]. After
// one on a write, the service has done what was asked. Anything else is an
// error of the transport, such as a [*net/url.Error], or of the context.
//
// # Repetitions
//
// A call that meets 429 or 503 is repeated, up to Config.MaxRetries times,
// after the wait that Retry-After asks for, or else after about 1 s, 2 s, 4 s
// and so on. A wait longer than Config.MaxRetryWait, or than the context lasts,
// is not begun: the error is returned at once. After 504 the request may have
// been processed: a GET is repeated, a write is not. Errors of the transport
// are never repeated, beyond what net/http does by itself for reads.
//
// # Secrets
//
// The app token, session tokens and passwords are in no error text, and no
// value of this package shows them when it is printed, logged or encoded, with
// two exceptions that are documented: Error.Body and DecodeError.Body.
package client

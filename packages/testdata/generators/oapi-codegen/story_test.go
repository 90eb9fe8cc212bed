package generated

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"os"
	"testing"
)

// player is a client with the tokens that it sends.
type player struct {
	*ClientWithResponses
	t       *testing.T
	session string
}

func (p player) credentials(_ context.Context, r *http.Request) error {
	r.SetBasicAuth(os.Getenv("REFSERVER_APP_TOKEN"), p.session)
	return nil
}

func newPlayer(t *testing.T) player {
	t.Helper()
	pem, err := os.ReadFile(os.Getenv("REFSERVER_CA_FILE"))
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	trusting := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	client, err := NewClientWithResponses(os.Getenv("REFSERVER_URL"), WithHTTPClient(trusting))
	if err != nil {
		t.Fatal(err)
	}
	return player{ClientWithResponses: client, t: t}
}

// joined is a player with a new user's session, and the user's id.
func (p player) joined(name string) (player, ID) {
	p.t.Helper()
	password := "9f86d081884c7d65"
	made, err := p.CreateUserWithResponse(p.t.Context(), nil, UserInput{UserName: name, Password: &password}, p.credentials)
	if err != nil || made.JSON201 == nil {
		p.t.Fatalf("creating %s: %v %s", name, err, made.Body)
	}
	login, err := p.LogInWithResponse(p.t.Context(), nil, Login{UserName: &name, Password: password}, p.credentials)
	if err != nil || login.JSON200 == nil {
		p.t.Fatalf("logging in %s: %v %s", name, err, login.Body)
	}
	p.session = login.JSON200.SessionToken
	return p, made.JSON201.Id
}

// feed is what the feed's events say was done.
func (p player) feed() []string {
	p.t.Helper()
	feed, err := p.GetFeedWithResponse(p.t.Context(), p.credentials)
	if err != nil || feed.JSON200 == nil {
		p.t.Fatalf("reading the feed: %v %s", err, feed.Body)
	}
	var verbs []string
	for _, event := range *feed.JSON200 {
		verbs = append(verbs, event.Verb)
	}
	return verbs
}

func TestStoryWithTwoUsers(t *testing.T) {
	stranger := newPlayer(t)
	ada, _ := stranger.joined("ada")
	grace, graceID := stranger.joined("grace")
	follow := ConnectionInputType("follow")
	connected, err := ada.CreateConnectionWithResponse(t.Context(), ConnectionInput{UserToId: graceID, Type: &follow}, ada.credentials)
	if err != nil || connected.JSON201 == nil {
		t.Fatalf("following: %v %s", err, connected.Body)
	}
	posted, err := grace.CreateEventWithResponse(t.Context(), EventInput{Verb: "like"}, grace.credentials)
	if err != nil || posted.JSON201 == nil {
		t.Fatalf("posting: %v %s", err, posted.Body)
	}
	if verbs := ada.feed(); len(verbs) != 1 || verbs[0] != "like" {
		t.Errorf("the feed has %q", verbs)
	}
	refused, err := stranger.GetFeedWithResponse(t.Context(), stranger.credentials)
	if err != nil || refused.JSON401 == nil || refused.JSON401.Errors == nil {
		t.Errorf("a feed without a session: %v %s", err, refused.Body)
	}
	if gone, err := grace.DeleteMeWithResponse(t.Context(), grace.credentials); err != nil || gone.StatusCode() != http.StatusNoContent {
		t.Errorf("deleting: %v %s", err, gone.Body)
	}
	if verbs := ada.feed(); len(verbs) != 0 {
		t.Errorf("after the deletion the feed has %q", verbs)
	}
}

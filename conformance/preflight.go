package conformance

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/observed"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/conformance/setting"
)

// UnreachableError says that no verdict is possible: the target does not answer,
// or is not the service at all.
type UnreachableError struct {
	Reason string // in one line
	Hint   string // what may help, "" when nothing comes to mind
	// Why is the same for machines.
	Why result.Reason
	// Answered reports that something answered, though not as the service does.
	Answered bool
	// Refused reports that nothing listens there, which waiting may mend.
	Refused bool
}

// Error is the reason with the hint.
func (e *UnreachableError) Error() string {
	if e.Hint == "" {
		return e.Reason
	}
	return e.Reason + "\n" + e.Hint
}

// preflight finds out with a few requests whether there is a target to judge, so
// that one that is down or mistyped is reported once and not hundreds of times.
func (r *run) preflight(ctx context.Context) error {
	t := newT(ctx, r, &scenario{text: "first contact"})
	if err := r.checkHTTP2(t); err != nil {
		return err
	}
	versions, err := r.contact(t, http.MethodGet, r.url(rules.Versions.Path()), Anonymous{}, nil)
	if err != nil && (versions == nil || !wire.Late(versions.Err)) {
		return err
	}
	defer r.discard(ctx, t) // an endpoint that never answers is judged as the others are
	created, err := r.contactAs(t, t.AppOnly())
	silent := created != nil && wire.Late(created.Err) && versions.Err == nil && speaksJSON(versions)
	if err != nil && !silent {
		return err
	}
	absent := observed.SaysAbsent(versions.Status) && observed.SaysAbsent(created.Status)
	if absent {
		r.missing.answers = map[rules.Endpoint]*wire.Exchange{rules.Versions: versions, rules.CreateUser: created}
	}
	overTLS := r.base.Scheme == "http" && versions.Status/100 == 4 && created.Status == versions.Status && r.speaksTLS(ctx)
	switch {
	case overTLS || absent || !speaksJSON(created) && !speaksJSON(versions):
		return &UnreachableError{
			Reason: fmt.Sprintf("%s does not look like the service: %s and %s answered %s and %s",
				r.base, rules.Versions, rules.CreateUser, kindOfAnswer(versions), kindOfAnswer(created)),
			Hint: r.strangerHint(overTLS, absent), Answered: true, Why: whyStrange(overTLS, versions, created),
		}
	case refusesCredentials(created):
		if known, err := r.knowsAppToken(t); known || err != nil {
			return err // it asks for more than the app token, which is for the rules to judge
		}
		return configErrorf("the target refuses the app token: %s answered %d; check %s", rules.CreateUser, created.Status, r.called(setting.AppToken))
	case r.config.Target.SecondAppToken == "" || created.Status/100 != 2:
		return nil
	}
	elsewhere, err := r.contactAs(t, Basic{App: r.config.Target.SecondAppToken})
	if err == nil && refusesCredentials(elsewhere) {
		return configErrorf("the target refuses the second app token: %s answered %d; check %s", rules.CreateUser, elsewhere.Status, r.called(setting.SecondAppToken))
	}
	return err
}

// checkHTTP2 returns an *UnreachableError if the target offers HTTP/2 and answers nothing over it. There is no
// verdict then, even if it also speaks HTTP/1.1: a client that offers HTTP/2 does not get there.
func (r *run) checkHTTP2(t *T) error {
	var requests []*http.Request
	for _, at := range []rules.Endpoint{rules.Versions, rules.GetMe} {
		req, err := t.request(t.ctx, http.MethodGet, r.url(at.Path()).String(), Anonymous{})
		if err != nil {
			return err
		}
		requests = append(requests, req)
	}
	dead, ok := errors.AsType[*wire.DeadHTTP2Error](r.wire.CheckHTTP2(t.ctx, requests...))
	if !ok {
		return nil
	}
	hint := "clients that offer HTTP/2, such as browsers, get no answer: repair the HTTP/2 of the target, or of the proxy before it, or take h2 from the ALPN protocols of its TLS settings"
	if dead.Alone {
		hint += " and serve HTTP/1.1"
	} else {
		hint += ": HTTP/1.1 works"
	}
	return &UnreachableError{Reason: fmt.Sprintf("no answer from %s: %s", r.base, r.redactor.Text(dead.Error())), Hint: hint, Why: result.DeadHTTP2}
}

func refusesCredentials(x *wire.Exchange) bool {
	return x.Status == http.StatusUnauthorized || x.Status == http.StatusForbidden
}

// knowsAppToken reports whether the target tells the app token from one that is made up, at a login
// that lacks everything: what refuses the app token too refuses both alike.
func (r *run) knowsAppToken(t *T) (bool, error) {
	var answers [2]*wire.Exchange
	for i, app := range []string{r.config.Target.AppToken, t.Unique()} {
		var err error
		if answers[i], err = r.contact(t, http.MethodPost, r.url(rules.Login.Path()), Basic{App: app}, []byte("{}")); err != nil {
			return false, err
		}
	}
	return !refusesCredentials(answers[0]) && answers[0].Status/100 == 4 && refusesCredentials(answers[1]), nil
}

// contactAs creates a user, which is deleted again.
func (r *run) contactAs(t *T, as Credentials) (*wire.Exchange, error) {
	body, err := jsonvalue.Encode(t.NewUser(nil))
	if err != nil {
		return nil, err
	}
	users := r.url(rules.CreateUser.Path())
	users.RawQuery = "withLogin=true"
	return r.contact(t, http.MethodPost, users, as, body)
}

// speaksTLS reports whether the target's port speaks TLS.
func (r *run) speaksTLS(ctx context.Context) bool {
	dialer := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12}} //nolint:gosec // nothing is sent
	ctx, cancel := context.WithTimeout(ctx, r.config.RequestTimeout)
	defer cancel()
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(r.base.Hostname(), cmp.Or(r.base.Port(), "80")))
	if err != nil {
		return false
	}
	_ = conn.Close() // nothing was sent on it
	return true
}

// strangerHint is what may help where something answers that is not the service.
func (r *run) strangerHint(overTLS, absent bool) string {
	hint := "check " + r.called(setting.BaseURL) + ": scheme and port, and the path before /versions and /0.2, which belongs to it"
	switch {
	case overTLS:
		return "it speaks TLS there: give " + r.called(setting.BaseURL) + " as https://"
	case absent:
		return hint + "; a server that is still empty begins with what conform next tells"
	}
	return hint
}

// contact makes one exchange, and explains why when no whole response comes.
func (r *run) contact(t *T, method string, target *url.URL, as Credentials, body []byte) (*wire.Exchange, error) {
	x, err := t.ask(method, target, as, body)
	switch {
	case err != nil || x.Err == nil:
		return x, err
	case t.ctx.Err() != nil:
		return nil, context.Cause(t.ctx)
	}
	from := r.base.String()
	if wire.Late(x.Err) {
		from += " to " + x.Endpoint.String()
	}
	return x, &UnreachableError{
		Reason: fmt.Sprintf("no answer from %s: %s", from, r.redactor.Text(wire.Trouble(x.Err))),
		Hint:   r.hint(x.Err), Why: whyUnanswered(x.Err),
		Refused: errors.Is(x.Err, syscall.ECONNREFUSED),
	}
}

// whyUnanswered is why no response came.
func whyUnanswered(err error) result.Reason {
	var unknown *net.DNSError
	switch {
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return result.Untrusted
	case errors.As(err, &unknown) && unknown.IsNotFound:
		return result.UnknownHost
	case errors.As(err, new(tls.RecordHeaderError)), strings.Contains(err.Error(), "malformed HTTP"):
		return result.WrongProtocol
	}
	return result.Unreachable
}

// whyStrange is why what answers is not the service. A gateway may have no service behind it for
// the moment.
func whyStrange(overTLS bool, answers ...*wire.Exchange) result.Reason {
	gateway := func(x *wire.Exchange) bool {
		return x.Status == http.StatusBadGateway || x.Status == http.StatusServiceUnavailable || x.Status == http.StatusGatewayTimeout
	}
	switch {
	case overTLS:
		return result.WrongProtocol
	case slices.ContainsFunc(answers, gateway):
		return result.Unreachable
	}
	return result.Stranger
}

// hint is what may help when no response came.
func (r *run) hint(err error) string {
	var unknown x509.UnknownAuthorityError
	switch {
	case errors.As(err, &unknown) && len(r.config.Target.CACert) > 0:
		return "the target's certificate is signed by another authority than those of " + r.called(setting.CACert) + " and the system"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "is it running, and is the port right?"
	case errors.As(err, new(*net.DNSError)):
		return "is the host in " + r.called(setting.BaseURL) + " spelt right, and known on this machine?"
	}
	return r.trustHint(err)
}

// trustHint names the setting that helps against a failure of TLS.
func (r *run) trustHint(err error) string {
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var otherHost x509.HostnameError
	var notTLS tls.RecordHeaderError
	forATrial := " (or, for a trial, " + r.called(setting.Insecure) + ")"
	switch {
	case errors.As(err, &unknown):
		return "the target's certificate is signed by an authority unknown here: give its certificate with " + r.called(setting.CACert) + forATrial
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the target's certificate is out of date: renew it" + forATrial
	case errors.As(err, &otherHost):
		return r.otherHostHint(otherHost.Certificate) + forATrial
	case errors.As(err, &notTLS):
		return "the target does not speak TLS there: is the port right? A plain-HTTP target is given as http:// with " + r.called(setting.AllowHTTP)
	case strings.Contains(err.Error(), "malformed HTTP"):
		return "what answers there does not speak HTTP: is the port right, and is it https:// that it speaks?"
	}
	return ""
}

// otherHostHint says for which names a certificate is.
func (r *run) otherHostHint(c *x509.Certificate) string {
	names := slices.Clone(c.DNSNames)
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	const most = 5
	switch {
	case len(names) == 0:
		return "the target's certificate has no subject alternative name, the only place where a host is looked for: make one that names this host there"
	case len(names) > most:
		names = append(names[:most], "…")
	}
	named := strings.Join(strings.Fields(strings.Join(names, ", ")), " ") // in one line
	return "the target's certificate is for another host: use a name it is made for in " + r.called(setting.BaseURL) + ": " + named
}

func speaksJSON(x *wire.Exchange) bool {
	_, err := x.Value()
	return err == nil || mediaTypeOf(x) == "application/json"
}

func kindOfAnswer(x *wire.Exchange) string {
	return fmt.Sprintf("%d (%s)", x.Status, cmp.Or(mediaTypeOf(x), "no content type"))
}

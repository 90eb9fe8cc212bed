package conformance

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"
)

// UnreachableError tells that no verdict can be had: the target does not answer,
// or is not the service at all.
type UnreachableError struct {
	Reason string // in one line
	Hint   string // what may help, "" when nothing comes to mind
}

// Error is the reason with the hint.
func (e *UnreachableError) Error() string {
	if e.Hint == "" {
		return e.Reason
	}
	return e.Reason + "\n" + e.Hint
}

// preflight finds out with two requests whether there is a target to judge, so
// that one that is down or mistyped is told once and not hundreds of times.
func (r *run) preflight(ctx context.Context) error {
	t, err := newTrial(ctx, r, &scenario{text: "first contact"})
	if err != nil {
		return err
	}
	versions, err := r.contact(t, http.MethodGet, Versions.Path(), Nobody{}, nil)
	if err != nil {
		return err
	}
	body, err := encodeJSON(t.NewUser(nil))
	if err != nil {
		return err
	}
	defer func() { r.cleanUp(ctx, t) }()
	created, err := r.contact(t, http.MethodPost, CreateUser.Path()+"?withLogin=true", t.AppOnly(), body)
	if err != nil {
		return err
	}
	absent := versions.status == http.StatusNotFound && created.status == http.StatusNotFound
	switch {
	case absent || !created.speaksJSON() && !versions.speaksJSON():
		return &UnreachableError{
			Reason: fmt.Sprintf("%s does not look like the service: %s and %s answered %s and %s",
				r.base, Versions, CreateUser, versions.kindOfAnswer(), created.kindOfAnswer()),
			Hint: "check --base-url: scheme and port, and the path before /versions and /0.2, which belongs to it",
		}
	case created.status == http.StatusUnauthorized || created.status == http.StatusForbidden:
		return configErrorf("the target refuses the app token: %s answered %d; check CONFORM_APP_TOKEN or --app-token", CreateUser, created.status)
	}
	return nil
}

// contact makes one exchange, and explains why when no response comes.
func (r *run) contact(t *Trial, method, path string, as Credentials, body []byte) (*exchange, error) {
	path, query, _ := strings.Cut(path, "?")
	target := r.url(path)
	target.RawQuery = query
	req, err := t.request(method, target.String(), as)
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	x := r.wire.send(req, body, true)
	t.note(x)
	switch {
	case x.err == nil:
		return x, nil
	case t.ctx.Err() != nil:
		return nil, context.Cause(t.ctx)
	}
	return nil, &UnreachableError{
		Reason: fmt.Sprintf("no answer from %s: %s", r.base, r.redactor.text(wireTrouble(x.err))),
		Hint:   r.hint(x.err),
	}
}

// hint is what may help when no response came.
func (r *run) hint(err error) string {
	var unknown x509.UnknownAuthorityError
	switch {
	case errors.As(err, &unknown) && len(r.config.Target.CACert) > 0:
		return "the target's certificate is signed by another authority than those of --ca-cert and the system"
	case strings.Contains(err.Error(), "connection refused"):
		return "is it running, and is the port right? --wait 60s waits for it"
	}
	return trustHint(err)
}

// trustHint names the flag that helps against a failure of TLS.
func trustHint(err error) string {
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var otherHost x509.HostnameError
	var notTLS tls.RecordHeaderError
	switch {
	case errors.As(err, &unknown):
		return "the target's certificate is signed by an authority unknown here: give its certificate with --ca-cert FILE (or, for a trial, --insecure)"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the target's certificate is out of date: renew it (or, for a trial, --insecure)"
	case errors.As(err, &otherHost):
		return "the target's certificate is for another host: use the name it is made for in --base-url (or, for a trial, --insecure)"
	case errors.As(err, &notTLS):
		return "the target does not speak TLS there: is the port right? A plain-HTTP target is given as http:// with --allow-http"
	case strings.Contains(err.Error(), "malformed HTTP"):
		return "what answers there does not speak HTTP: is the port right, and is it https:// that it speaks?"
	}
	return ""
}

func (x *exchange) speaksJSON() bool {
	mediaType, _, _ := mime.ParseMediaType(x.answer.Get("Content-Type"))
	_, err := decodeJSON(x.answered)
	return err == nil || mediaType == "application/json"
}

func (x *exchange) kindOfAnswer() string {
	mediaType, _, _ := mime.ParseMediaType(x.answer.Get("Content-Type"))
	return fmt.Sprintf("%d (%s)", x.status, firstOf(mediaType, "no content type"))
}

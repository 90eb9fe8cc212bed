package clients

import (
	"regexp"
	"strings"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/rules"
)

func https(r *request) finding {
	if r.Scheme == "http" {
		return violation("the request came over plain HTTP")
	}
	return kept
}

func userAgent(r *request) finding {
	if strings.TrimSpace(r.Header.Get("User-Agent")) == "" {
		return violation("the request has no User-Agent")
	}
	return kept
}

// named matches a product with its version in a User-Agent.
var named = regexp.MustCompile(`([A-Za-z0-9!#$%&'*+.^_|~-]+)/v?\d`)

// libraries are the products that HTTP libraries and runtimes name by themselves.
var libraries = regexp.MustCompile(`(?i)^(go-http-client|curl|libcurl|wget|python|python-requests|python-urllib|python-urllib3|urllib3|python-httpx|aiohttp|httpx|node|node-fetch|undici|axios|got|superagent|deno|bun|okhttp|java|java-http-client|apache-httpclient|ktor-client|dart|ruby|faraday|rest-client|httparty|libwww-perl|lwp|php|guzzlehttp|guzzle|reqwest|ureq|hyper|cfnetwork|darwin|alamofire|dalvik|dotnet|\.net|restsharp|httpie|postmanruntime|insomnia|cpython|linux|openssl|zlib|nghttp2|jetty|unirest-java|http\.rb|typhoeus)$`)

// userAgentNamed judges each different User-Agent once.
func userAgentNamed() func(*request) finding {
	known := newBounded[string, finding](200)
	return func(r *request) finding {
		agent := r.Header.Get("User-Agent")
		f, judged := known.get(agent)
		if !judged {
			f = namedIn(agent)
			known.put(agent, f)
		}
		return f
	}
}

func namedIn(agent string) finding {
	if strings.TrimSpace(agent) == "" || strings.HasPrefix(agent, "Mozilla/") {
		return finding{}
	}
	products := named.FindAllStringSubmatch(agent, -1)
	if len(products) == 0 {
		return violation("the User-Agent %q names no version", jsonvalue.Cut(agent, 80))
	}
	for _, product := range products {
		if !libraries.MatchString(product[1]) {
			return kept
		}
	}
	return violation("the User-Agent %q is a library's own", jsonvalue.Cut(agent, 80))
}

func accept(r *request) finding {
	values := r.Header.Values("Accept")
	for listed := range strings.SplitSeq(strings.Join(values, ","), ",") {
		if mediaType(listed) == "application/json" {
			return kept
		}
	}
	if len(values) == 0 {
		return violation("the request has no Accept")
	}
	return violation("Accept is %q", jsonvalue.Cut(strings.Join(values, ", "), 80))
}

func contentType(r *request) finding {
	switch declared := r.Header.Get("Content-Type"); {
	case !r.hasBody():
		return finding{}
	case declared == "":
		return violation("the request has a body and no Content-Type")
	case mediaType(declared) != "application/json":
		return violation("the body's Content-Type is %q", jsonvalue.Cut(declared, 80))
	}
	return kept
}

// credentials are what the Authorization header says.
type credentials struct {
	there        bool
	scheme       string
	pair         bool // well-formed Basic credentials
	app, session string
}

func basic(r *request) finding {
	switch a := r.auth; {
	case r.endpoint == rules.Versions:
		return finding{}
	case !a.there:
		return violation("the request has no Authorization")
	case !strings.EqualFold(a.scheme, "Basic"):
		return violation("the scheme of Authorization is %q, not Basic", jsonvalue.Cut(a.scheme, 20))
	case !a.pair:
		return violation("the credentials of Authorization do not decode as a user name, a colon and a password")
	case a.app == "":
		return violation("the user name of Authorization is blank: there is no app token")
	case isPlaceholder(a.app):
		return violation("the user name of Authorization is a placeholder that nothing was filled in for")
	}
	return kept
}

func appOnly(r *request) finding {
	switch {
	case r.endpoint != rules.CreateUser && r.endpoint != rules.Login, !r.auth.pair:
		return finding{}
	case r.auth.session != "":
		return violation("the password half of Authorization is not empty")
	}
	return kept
}

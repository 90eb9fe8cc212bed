package clients

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
)

const (
	uuid   = "0d9f1c1e-6a5b-4c3d-9e8f-7a6b5c4d3e2f"
	bigID  = "12743631303647841" // which floating point makes an even one of
	bigger = "12743631303647843"
)

// lawful are sequences that no rule may blame.
func lawful() map[string][]step {
	return map[string][]step{
		"a life": {
			createAda(), loginAda(), me(ada), like(201), do("GET", "/0.2/users/search?q=a%26b+c", ada, "", 200, `[]`),
			do("POST", "/0.2/user/connections", ada, `{"user_to_id":"7","type":"follow"}`, 201, `{"user_to_id":7}`),
			do("PUT", "/0.2/user/events/9", ada, `{"latitude":1.5,"object":{"id":"a","display_name":{"en":"b"}}}`, 200, `{"id":9}`),
			do("DELETE", "/0.2/user/events/9", ada, "", 204, ""), do("GET", "/versions", "", "", 200, `[]`, header("Authorization", "")), logout(),
		},
		"the fields of a user": {do("PUT", "/0.2/user", ada,
			`{"user_name":"ada","activated":"true","social_ids":["a"],"metadata":{"k":"v"},"email":null,"unknown":[1],"last_login":"2026-01-02T12:00:00.5+02:00"}`, 200, `{"id":7}`)},
		"logged out and in again, with the same token":    {createAda(), logout(), loginAda(), me(ada)},
		"another session after a logout":                  {createAda(), logout(), me(bob)},
		"a logout that was refused":                       {createAda(), do("DELETE", "/0.2/user/logout", ada, "", 500, ""), me(ada)},
		"a logout of which no answer came":                {createAda(), do("DELETE", "/0.2/user/logout", ada, "", 0, ""), me(ada)},
		"in parallel with the logout":                     {createAda(), logout(lasting(time.Second)), me(ada, after(-900*time.Millisecond), onConn("c2"))},
		"on the way while the logout is answered":         {createAda(), logout(), me(ada, after(20*time.Millisecond), onConn("c2"))},
		"a retry that waits after a 503":                  {like(503), like(201, after(60*time.Millisecond))},
		"the same at the same time, one of them a 503":    {like(503, lasting(time.Second)), like(201, after(-990*time.Millisecond), onConn("c2"))},
		"the same on another connection, just behind":     {like(503), like(201, after(10*time.Millisecond), onConn("c2"))},
		"asked twice by habit, once with a 503":           {me(ada), me(ada, after(time.Millisecond)), me(ada, func(s *step) { s.Status = 503 }), me(ada, after(time.Millisecond))},
		"waits as long as a 429 says":                     {like(429, answerHeader("Retry-After", "2")), like(201, after(2*time.Second))},
		"another category after a 429":                    {like(429, answerHeader("Retry-After", "2")), me(ada)},
		"another user after a 429":                        {like(429, answerHeader("Retry-After", "2")), do("POST", "/0.2/user/events", bob, `{"verb":"liked"}`, 201, `{"id":9}`)},
		"looks after a 504":                               {like(504), do("GET", "/0.2/user/feed", ada, "", 200, `[]`), like(201)},
		"a login after a 504 on a new user":               {createAda(func(s *step) { s.Status = 504 }), loginAda(), createAda()},
		"another write after a 504":                       {like(504), do("POST", "/0.2/user/events", ada, `{"verb":"shared"}`, 201, `{"id":9}`)},
		"the same login after a 504":                      {loginAda(func(s *step) { s.Status = 504 }), loginAda()},
		"a read after a 504":                              {me(ada, func(s *step) { s.Status = 504 }), me(ada)},
		"a like like another one, long after a 504":       {like(504), like(201, after(2*time.Minute))},
		"a 404, and the same once more after other work":  {do("GET", "/0.2/users/0", ada, "", 404, `{}`), me(ada), do("GET", "/0.2/users/0", ada, "", 404, `{}`)},
		"a 401, a login, and the same with a new session": {do("GET", "/0.2/user", bob, "", 401, `{}`), loginAda(), me(ada)},
		"ids of every form": {
			do("GET", "/0.2/users/search?q=a", ada, "", 200, `[{"id":`+bigID+`},{"id":"`+uuid+`"},{"id":"007"}]`),
			do("GET", "/0.2/users/"+bigID, ada, "", 200, `{}`), do("GET", "/0.2/users/"+uuid, ada, "", 200, `{}`), do("GET", "/0.2/users/007", ada, "", 200, `{}`),
			do("GET", "/0.2/users/12743631303647842", ada, "", 404, `{}`), do("GET", "/0.2/users/nobody", ada, "", 404, `{}`),
		},
		"a preflight of a browser": {do("OPTIONS", "/0.2/users", "", "", 204, "", header("User-Agent", ""), header("Accept", ""), header("Authorization", ""))},
		"a page's own files":       {do("GET", "/favicon.ico", "", "", 404, "", header("Accept", ""))},
		"a new user after the old one": {createAda(), do("DELETE", "/0.2/user", ada, "", 204, ""),
			do("POST", "/0.2/users?withLogin=true", "", `{"user_name":"ada","password":"`+hash+`"}`, 201, `{"id":8,"session_token":"`+bob+`"}`), me(bob)},
		"a session that another program ended": {createAda(), logout(header("User-Agent", "feedwidget/1.0")), me(ada, func(s *step) { s.Status = 401 })},
		"a user that another device deleted": {createAda(), do("POST", "/0.2/user/login", "", `{"user_name":"ada","password":"`+hash+`"}`, 200, `{"id":"7","session_token":"`+bob+`"}`, onDevice),
			do("DELETE", "/0.2/user", ada, "", 204, ""), me(bob, onDevice, func(s *step) { s.Status = 401 })},
		"another program after a 429":                {like(429, answerHeader("Retry-After", "2")), like(201, header("User-Agent", "feedwidget/1.0"))},
		"another device just after a 503":            {me(ada, func(s *step) { s.Status = 503 }), me(ada, onDevice, after(10*time.Millisecond))},
		"the like of another device after a 504":     {like(504), like(201, onDevice)},
		"another program that asks for what is gone": {do("GET", "/0.2/users/0", ada, "", 404, `{}`), do("GET", "/0.2/users/0", ada, "", 404, `{}`, header("User-Agent", "feedwidget/1.0"))},
	}
}

// onDevice has a request come from another device.
func onDevice(s *step) { s.Client, s.Conn = "127.0.0.2", "of another device" }

func TestLawfulSequencesAreNotBlamed(t *testing.T) {
	for name, steps := range lawful() {
		t.Run(name, func(t *testing.T) {
			checks := judged(t, Options{AppToken: appToken}, steps...)
			for _, c := range checks {
				if c.Status != result.Pass {
					t.Errorf("%s at %s is a %s: %s", c.Rule, c.Endpoint, c.Status, c.Message)
				}
			}
			if len(checks) == 0 && !strings.HasPrefix(name, "a p") {
				t.Error("nothing was judged")
			}
		})
	}
}

// broken are sequences that break one rule each.
func broken() map[string][]step {
	list := do("GET", "/0.2/users/search?q=a", ada, "", 200, `[{"id":`+bigID+`},{"id":`+bigger+`},{"id":"`+uuid+`"},{"id":"007"}]`)
	return map[string][]step{
		"https":                               {me(ada, func(s *step) { s.Scheme = "http" })},
		"user-agent":                          {me(ada, header("User-Agent", ""))},
		"user-agent-named":                    {me(ada, header("User-Agent", "Go-http-client/2.0"))},
		"user-agent-named: no version":        {me(ada, header("User-Agent", "feedreader"))},
		"user-agent-named: two libraries":     {me(ada, header("User-Agent", "python-requests/2.31 CPython/3.12"))},
		"accept":                              {me(ada, header("Accept", "*/*"))},
		"accept: none":                        {me(ada, header("Accept", ""))},
		"content-type":                        {like(201, header("Content-Type", "text/plain"))},
		"content-type: none":                  {like(201, header("Content-Type", ""))},
		"json":                                {do("POST", "/0.2/user/events", ada, `verb=liked`, 400, `{}`)},
		"json: no UTF-8":                      {do("POST", "/0.2/user/events", ada, "{\"verb\":\"l\xe4uft\"}", 400, `{}`)},
		"nfc":                                 {do("POST", "/0.2/user/events", ada, `{"verb":"cafe\u0301"}`, 201, `{"id":9}`)},
		"nfc: a search":                       {do("GET", "/0.2/users/search?q=cafe%CC%81", ada, "", 200, `[]`)},
		"endpoints":                           {do("POST", "/0.2/user/logout", ada, "", 405, `{}`)},
		"endpoints: no version":               {do("GET", "/user", ada, "", 404, `{}`)},
		"endpoints: another version":          {do("GET", "/0.1/user", ada, "", 410, `{}`)},
		"documented-paths":                    {do("GET", "/0.2/users/7/followed", ada, "", 200, `[]`)},
		"documented-paths: events":            {do("POST", "/0.2/users/events", ada, `{"verb":"liked"}`, 201, `{"id":9}`)},
		"basic":                               {me(ada, header("Authorization", "Bearer "+ada))},
		"basic: none":                         {me(ada, header("Authorization", ""))},
		"basic: not encoded":                  {me(ada, header("Authorization", "Basic "+appToken+":"+ada))},
		"basic: swapped":                      {me(ada, credentialsAre(ada+":"+appToken))},
		"basic: no app token":                 {me(ada, credentialsAre(":"+ada))},
		"app-only":                            {createAda(), loginAda(credentialsAre(appToken + ":" + bob))},
		"both-tokens":                         {me("")},
		"both-tokens: null":                   {createAda(), do("GET", "/0.2/user", "null", "", 401, `{}`)},
		"both-tokens: undefined":              {do("GET", "/0.2/user", "undefined", "", 401, `{}`)},
		"both-tokens: a variable":             {do("GET", "/0.2/user", "{{session_token}}", "", 401, `{}`)},
		"basic: a variable":                   {me(ada, credentialsAre("${APP_TOKEN}:"+ada))},
		"token-confined":                      {do("GET", "/0.2/users/search?q=a&session_token="+ada, ada, "", 200, `[]`)},
		"token-confined: of another session":  {createAda(), do("GET", "/0.2/users/"+ada, bob, "", 404, `{}`)},
		"token-confined: in a body":           {do("POST", "/0.2/user/events", ada, `{"verb":"liked","metadata":{"s":"`+ada+`"}}`, 201, `{"id":9}`)},
		"token-confined: in a header":         {me(ada, header("X-Session-Token", ada))},
		"session-ends":                        {createAda(), logout(), me(ada)},
		"session-ends: on another connection": {createAda(), logout(), me(ada, onConn("c2"), after(2*time.Second))},
		"session-ends: of a deleted user":     {createAda(), do("DELETE", "/0.2/user", ada, "", 204, ""), like(401)},
		"session-ends: another one of the user": {createAda(), do("POST", "/0.2/user/login", "", `{"user_name":"ada","password":"`+hash+`"}`, 200, `{"id":"7","session_token":"`+bob+`"}`),
			do("DELETE", "/0.2/user", bob, "", 204, ""), me(ada)},
		"required":                     {do("POST", "/0.2/users", "", `{"email":"a@example.com"}`, 422, `{}`)},
		"required: no body":            {do("POST", "/0.2/user/events", ada, "", 400, `{}`)},
		"required: null":               {do("POST", "/0.2/user/connections", ada, `{"user_to_id":null}`, 422, `{}`)},
		"required: of an object":       {do("PUT", "/0.2/user/events/9", ada, `{"object":{"type":"photo"}}`, 422, `{}`)},
		"required: of four":            {do("POST", "/0.2/user/connections/social", ada, `{"platform":"f","type":"friend","platform_user_id":"1"}`, 422, `{}`)},
		"types":                        {do("PUT", "/0.2/user", ada, `{"user_name":"ada","activated":true}`, 200, `{"id":7}`)},
		"types: a fraction as an id":   {do("POST", "/0.2/user/connections", ada, `{"user_to_id":7.5}`, 422, `{}`)},
		"types: an unknown connection": {do("POST", "/0.2/user/connections", ada, `{"user_to_id":7,"type":"foe"}`, 422, `{}`)},
		"types: a list":                {do("POST", "/0.2/user/events", ada, `[{"verb":"liked"}]`, 400, `{}`)},
		"types: of an object":          {do("POST", "/0.2/user/events", ada, `{"verb":"liked","object":{"id":7}}`, 422, `{}`)},
		"timestamps":                   {do("POST", "/0.2/user/events", ada, `{"verb":"liked","created_at":"yesterday"}`, 201, `{"id":9}`)},
		"metadata":                     {do("POST", "/0.2/user/events", ada, `{"verb":"liked","metadata":{"n":7}}`, 422, `{}`)},
		"metadata: a long value":       {do("POST", "/0.2/user/events", ada, `{"verb":"liked","metadata":{"n":"`+strings.Repeat("ä", 501)+`"}}`, 422, `{}`)},
		"metadata: a long key":         {do("POST", "/0.2/user/events", ada, `{"verb":"liked","metadata":{"`+strings.Repeat("ä", 41)+`":"n"}}`, 422, `{}`)},
		"metadata: many keys":          {do("POST", "/0.2/user/events", ada, `{"verb":"liked","metadata":{"a":"","b":"","c":"","d":"","e":"","f":"","g":"","h":"","i":"","j":"","k":""}}`, 422, `{}`)},
		"password-hashed":              {do("POST", "/0.2/user/login", "", `{"user_name":"ada","password":"secret"}`, 401, `{}`)},
		"password-hashed: words":       {do("POST", "/0.2/user/login", "", `{"user_name":"ada","password":"correct-horse-battery-staple"}`, 401, `{}`)},
		"password-hashed: other salts": {
			do("POST", "/0.2/users", "", `{"user_name":"ada","password":"$2b$10$abcdefghijklmnopqrstuuzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"}`, 201, `{"id":7}`),
			do("POST", "/0.2/user/login", "", `{"user_name":"ada","password":"$2b$10$bbcdefghijklmnopqrstuuzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"}`, 401, `{}`)},
		"id-verbatim": {list, do("GET", "/0.2/users/12743631303647840", ada, "", 404, `{}`),
			do("POST", "/0.2/user/connections", ada, `{"user_to_id":12743631303647840,"type":"follow"}`, 404, `{}`)},
		"id-verbatim: another case":     {list, do("GET", "/0.2/users/"+strings.ToUpper(uuid), ada, "", 404, `{}`)},
		"id-verbatim: zeros lost":       {list, do("GET", "/0.2/users/7", ada, "", 404, `{}`)},
		"id-verbatim: an exponent":      {list, do("GET", "/0.2/users/1.274363130364784e16", ada, "", 404, `{}`)},
		"id-verbatim: quotes":           {list, do("GET", "/0.2/users/%22007%22", ada, "", 404, `{}`)},
		"query-encoded":                 {do("GET", "/0.2/users/search?q=caf\u00e9", ada, "", 200, `[]`)},
		"query-encoded: an ampersand":   {do("GET", "/0.2/users/search?q=rock&roll", ada, "", 200, `[]`)},
		"query-encoded: in the path":    {do("GET", "/0.2/users/a|b", ada, "", 404, `{}`)},
		"waits-429":                     {like(429, answerHeader("Retry-After", "2")), do("PUT", "/0.2/user", ada, `{"user_name":"ada"}`, 200, `{"id":7}`, after(time.Second))},
		"waits-429: at once":            {like(429), like(201, after(time.Millisecond))},
		"waits-503":                     {like(503), like(201, after(time.Millisecond))},
		"waits-503: another connection": {like(503, lasting(150*time.Millisecond)), like(201, after(10*time.Millisecond), onConn("c2"))},
		"checks-504":                    {like(504), like(201)},
		"checks-504: a deletion":        {do("DELETE", "/0.2/user/events/9", ada, "", 504, `{}`), do("DELETE", "/0.2/user/events/9", ada, "", 204, ``)},
		"no-retry-4xx":                  {do("GET", "/0.2/users/0", ada, "", 404, `{}`), do("GET", "/0.2/users/0", ada, "", 404, `{}`)},
	}
}

func TestBrokenSequencesAreBlamedOnTheirRule(t *testing.T) {
	for name, steps := range broken() {
		t.Run(name, func(t *testing.T) {
			rule, _, _ := strings.Cut(name, ":")
			checks := judged(t, Options{AppToken: appToken}, steps...)
			if got := blamed(checks); !slices.Equal(got, []string{rule}) {
				t.Errorf("blamed is %v, want %s alone", got, rule)
			}
			for _, c := range checks {
				if c.Status != result.Fail && c.Status != result.Warn {
					continue
				}
				if x := c.Decisive(); x == nil || x.Number != len(steps) && name != "id-verbatim" { // which the first of two shows
					t.Errorf("the deciding exchange is %+v, want request %d", x, len(steps))
				}
				for _, x := range c.Exchanges {
					for _, secret := range []string{appToken, ada, bob, hash} {
						if text := x.Request.URL + x.Request.Body + x.Curl + c.Message; strings.Contains(text, secret) {
							t.Errorf("a secret is shown: %s", text)
						}
					}
				}
			}
		})
	}
}

// TestAClientWithoutASessionIsBlamed has a service that began with the judge. What a test sends on
// purpose, beside sessions that work, is lawful.
func TestAClientWithoutASessionIsBlamed(t *testing.T) {
	stranger := do("GET", "/0.2/user", "a token of nobody", "", 401, `{}`)
	for name, tc := range map[string]struct {
		fresh bool
		steps []step
		want  []string
	}{
		"never a session":                     {true, []step{createAda(), stranger}, []string{"both-tokens"}},
		"a wrong one beside one that works":   {true, []step{createAda(), stranger, me(ada)}, nil},
		"one from before the judge":           {false, []step{stranger}, nil},
		"one that was issued and has ended":   {true, []step{createAda(), do("GET", "/0.2/user", ada, "", 401, `{}`)}, nil},
		"one that the service's tools issued": {true, []step{me(bob)}, nil},
	} {
		if got := blamed(judged(t, Options{AppToken: appToken, Fresh: tc.fresh}, tc.steps...)); !slices.Equal(got, tc.want) {
			t.Errorf("%s: blamed is %v, want %v", name, got, tc.want)
		}
	}
}

// Every rule that a request can break is seen broken.
func TestEveryRuleIsSeenBroken(t *testing.T) {
	seen := map[string]bool{"quota": true} // which a test of its own breaks
	for name := range broken() {
		rule, _, _ := strings.Cut(name, ":")
		seen[rule] = true
	}
	for _, rule := range (&Judge{}).all() {
		if !seen[strings.TrimPrefix(rule.id, "client.")] {
			t.Errorf("%s is never broken here", rule.id)
		}
	}
}

func TestQuota(t *testing.T) {
	sequence := func(every time.Duration) []step {
		var steps []step
		for range 1100 {
			steps = append(steps, me(ada, after(every-took)))
		}
		return steps
	}
	if got := blamed(judged(t, Options{}, sequence(62*time.Millisecond)...)); len(got) > 0 {
		t.Errorf("968 a minute: %v", got)
	}
	if got := blamed(judged(t, Options{}, sequence(50*time.Millisecond)...)); !slices.Equal(got, []string{"quota"}) {
		t.Errorf("1,200 a minute: %v", got)
	}
}

// TestQuotaAllowsForTheNetwork has a client that sends 1,000 requests a minute and no more, of
// which the first arrive late.
func TestQuotaAllowsForTheNetwork(t *testing.T) {
	const every, late = 60 * time.Millisecond, 900 * time.Millisecond
	var steps []step
	at := -took
	for i := range 1100 {
		arrives := max(every*time.Duration(i), late)
		steps = append(steps, me(ada, after(arrives-at-took)))
		at = arrives
	}
	for skew, want := range map[time.Duration][]string{time.Second: nil, 50 * time.Millisecond: {"quota"}} {
		if got := blamed(judged(t, Options{Skew: skew}, steps...)); !slices.Equal(got, want) {
			t.Errorf("where requests arrive up to %s late: %v", skew, got)
		}
	}
}

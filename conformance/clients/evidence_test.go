package clients

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
)

// TestSecretsOutsideOfJSONAreHidden has a client send its password as no JSON, which is a
// violation that is shown.
func TestSecretsOutsideOfJSONAreHidden(t *testing.T) {
	const secret = "correct horse+battery"
	for _, body := range []string{
		"user_name=ada&password=correct+horse%2Bbattery", "password=correct%20horse%2Bbattery&user_name=ada",
		"--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\ncorrect horse+battery\r\n--b--", "<password>correct horse+battery</password>",
		"{password: 'correct horse+battery'}", `{"password" : "correct horse+battery",}`,
	} {
		checks := judged(t, Options{}, do("POST", "/0.2/user/login", "", body, 400, `{"said":"correct horse+battery"}`, header("Content-Type", "application/x-www-form-urlencoded")))
		if got := blamed(checks); !slices.Contains(got, "content-type") {
			t.Fatalf("blamed: %v", got)
		}
		for _, c := range checks {
			if text := fmt.Sprintf("%+v %s", c, bodiesOf(c.Exchanges)); strings.Contains(text, "battery") || strings.Contains(text, secret) {
				t.Errorf("%s shows the password: %s", c.Rule, text)
			}
		}
	}
}

func bodiesOf(exchanges []result.Exchange) string {
	var b strings.Builder
	for _, x := range exchanges {
		b.WriteString(x.Request.Body + " " + x.Curl)
		if x.Response != nil {
			b.WriteString(" " + x.Response.Body)
		}
	}
	return b.String()
}

// TestWhatIsHeldOfAnExchangeIsSmall has a long exchange of which later ones are judged.
func TestWhatIsHeldOfAnExchangeIsSmall(t *testing.T) {
	long := `{"verb":"` + strings.Repeat("v", 200<<10) + `"}`
	s := do("POST", "/0.2/user/events", ada, long, 400, long)
	held := takeApart(s.Exchange, "").light()
	if got := cap(held.Body) + cap(held.RespBody); got > 16<<10 || held.BodySize != len(long) || held.RespSize != len(long) {
		t.Errorf("%d bytes are held of %d and %d", got, held.BodySize, held.RespSize)
	}
}

package pipeline

import (
	"testing"
)

func TestGitHubEscapes(t *testing.T) {
	if got := data("100%\r\n::a,b"); got != "100%25%0D%0A::a,b" {
		t.Error(got)
	}
	if got := property("100%0A: a,\nb"); got != "100%250A%3A a%2C%0Ab" {
		t.Error(got)
	}
}

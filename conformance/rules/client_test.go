package rules

import (
	"strings"
	"testing"
)

func TestClientCatalogueIsSound(t *testing.T) {
	c := LoadClient()
	for _, rule := range c.Rules() {
		if rule.Part() != ClientPart {
			t.Errorf("%s is no rule of a client's", rule.ID)
		}
		if tolerance := strings.HasPrefix(rule.ID, "client.tolerates."); rule.Passive == tolerance {
			t.Errorf("%s: passive %v, although what a client tolerates shows in no single request, and all else does", rule.ID, rule.Passive)
		}
		if rule.Level == Choice {
			t.Errorf("%s: a client has no choices that are told", rule.ID)
		}
	}
}

func TestBothCataloguesAsOne(t *testing.T) {
	all := LoadAll()
	for _, id := range []string{"feed.order", "client.checks-504"} {
		if _, ok := all.Rule(id); !ok {
			t.Errorf("%s is not found", id)
		}
	}
	if near := all.Suggest("client.check-504"); near != "client.checks-504" {
		t.Errorf("the nearest is %q", near)
	}
}

package wire

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
)

// A run has hundreds of passwords that begin alike, and quotes texts that hold a few.
func BenchmarkRedactAmongManySecrets(b *testing.B) {
	const secrets, quoted = 500, 5
	r := NewRedactor("the-app-token", "")
	var text strings.Builder
	for i := range secrets {
		secret := fmt.Sprintf("0011223344556677%x", sha256.Sum256([]byte{byte(i), byte(i >> 8)}))[:64]
		r.Learn(secret, "PASSWORD")
		if i < quoted {
			fmt.Fprintf(&text, `{"password":%q,"user_name":"ada"}`, secret)
		}
	}
	for b.Loop() {
		r.Text(text.String())
	}
}

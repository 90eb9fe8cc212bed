package loopback

import "testing"

func TestIsHost(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LocalHost": true, "127.0.0.1": true, "127.3.2.1": true, "::1": true, "[::1]": true, "0:0:0:0:0:0:0:1": true,
		"": false, "0.0.0.0": false, "::": false, "128.0.0.1": false, "10.0.0.1": false, "[::2]": false,
		"localhost.example": false, "127.0.0.1.example": false, "example": false, "127.0.0.1:80": false,
	} {
		if got := IsHost(host); got != want {
			t.Errorf("IsHost(%q) = %t, want %t", host, got, want)
		}
	}
}

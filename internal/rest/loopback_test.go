package rest

import "testing"

func TestLoopback(t *testing.T) {
	for url, want := range map[string]bool{
		"http://127.0.0.1:1": true, "http://localhost/x": true, "http://[::1]:2": true, "http://127.8.8.8": true, "postgres:///db?host=/tmp": true,
		"http://10.0.0.1": false, "https://api.example.org/v1": false, "http://localhost.example.org": false, "http://0.0.0.0.example": false, "://": false,
		"": true, "http://localhost:1": true, "http://127.0.0.1:6333/v1": true, "http://[::1]:80": true, "http://qdrant.internal:6333": false, "https://10.0.0.4": false,
	} {
		if got := Loopback(url); got != want {
			t.Errorf("%s: %v", url, got)
		}
	}
}

package secret

import "testing"

func TestName(t *testing.T) {
	for name, want := range map[string]bool{
		"api_key": true, "apiKey": true, "APIKEY": true, "X-Api-Key": true, "access_token": true, "accessToken": true, "token": true, "--client-secret": true, "DB_PASSWORD": true,
		"Authorization": true, "subscription-key": true, "aws_secret_access_key": true,
		"key": false, "chunk_key": false, "sort_key": false, "keywords": false, "max_tokens": false, "token_count": false, "author": false, "query": false, "": false, "--": false,
	} {
		if Name(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
	if !Parameter("key") || !Parameter("Key") || !Parameter("api_key") || Parameter("keys") {
		t.Error("Parameter")
	}
}

func TestShows(t *testing.T) {
	for text, want := range map[string]bool{
		"sk-CMDSECRET1234": true, "Bearer abcdefgh1234": true, "curl -H 'x: bearer abc.def.ghi'": true, "ghp_0123456789abcdefghij0123": true, "AKIAIOSFODNN7EXAMPLE": true,
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.x": true, "-----BEGIN RSA PRIVATE KEY-----": true,
		"the bearer of this": false, "risk-assessment-2024": false, "docs_v3": false, "nomic-embed-text": false, "Bearer {{.Secrets.a}}": false, "Bearer $TOKEN": false,
	} {
		if Shows(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

func TestAssigned(t *testing.T) {
	for text, want := range map[string]string{
		"--api-key=abc": "--api-key", "API_KEY=abc python3 r.py": "API_KEY", "python3 r.py --k 10 --token abc": "--token", `curl -d '{"password":"x"}'`: "password",
		"curl -H 'Authorization: Bearer abc' x": "Authorization", "q=a&token=b": "token", `curl -H "X-Api-Key: abc"`: "X-Api-Key", "a --mode=b TOKEN=c": "TOKEN",
		"API_KEY=$KEY python3 r.py": "", "--token --verbose": "", "token = line.split()": "", "while read token; do echo $token; done": "", "--key chunk_id": "",
		`{"token": {{json .Secrets.t}}}`: "", "--max-tokens 100": "", "curl -H \"Authorization: Bearer $T\"": "", "python3 r.py --api-key": "",
	} {
		name, found := Assigned(text)
		if found != (want != "") || found && name != want {
			t.Errorf("%q: %q, %v", text, name, found)
		}
	}
}

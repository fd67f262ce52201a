package secret

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// secretWords end the name of something that holds a secret: client_secret, X-Auth-Token, DB_PASSWORD.
var secretWords = []string{"password", "passwd", "pwd", "passphrase", "secret", "token", "credential", "credentials", "authorization", "auth", "bearer", "jwt", "cookie",
	"apikey", "accesskey", "secretkey", "privatekey", "authkey"}

// keyWords stand before the word key where the key is a secret. Others do not: sort_key, primary_key.
var keyWords = []string{"api", "access", "secret", "private", "auth", "app", "application", "client", "account", "master", "admin", "subscription", "service", "shared", "license",
	"functions", "signing", "encryption"}

// Name reports whether a parameter, field, flag or variable of this name holds a secret: api_key, accessToken,
// --client-secret. A number of tokens (max_tokens) or the key of a record (chunk_key, or key alone) is none.
func Name(name string) bool {
	words := wordsOf(name)
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	if last == "key" && len(words) > 1 {
		return slices.Contains(keyWords, words[len(words)-2])
	}
	return slices.Contains(secretWords, last)
}

// Parameter is Name for the parameters of a service, at the top of a request: there key alone is a secret as well.
func Parameter(name string) bool { return strings.EqualFold(name, "key") || Name(name) }

// wordsOf splits a name at punctuation and where small letters turn to capitals, in lower case.
func wordsOf(name string) []string {
	var b strings.Builder
	var before rune
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
		before = r
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// forms are secrets that show by themselves what they are: as their issuers mark them, or as they are sent.
var forms = regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{8,}` +
	`|\bgh[opusr]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}|\bglpat-[A-Za-z0-9_-]{16,}` +
	`|\bhf_[A-Za-z0-9]{20,}|\bxox[abeprs]-[A-Za-z0-9-]{10,}|\bA(KIA|SIA)[0-9A-Z]{16}\b|\bAIza[A-Za-z0-9_-]{30,}` +
	`|\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.` +
	`|(?i:\bbearer\s+)[A-Za-z0-9._~+/=-]{8,}` +
	`|-----BEGIN [A-Z ]*PRIVATE KEY-----`)

// Shows reports whether a text holds a secret that can be told by its form alone, such as sk-… or Bearer ….
func Shows(text string) bool { return forms.MatchString(text) }

// assignment is a name with a value that is written out: NAME=value, "name": "value", --name value. A value that a
// shell or a template is to fill in ($NAME, {{…}}), and a call, are none.
var assignment = regexp.MustCompile(`(?:(--?[A-Za-z][\w.-]*)\s+|(-{0,2}[A-Za-z][\w.-]*)["']?\s*[:=]\s*["']?)` +
	`(?:(?i:bearer|basic)\s+)?([^\s"'$&;|{}()\[\]<>,-][^\s"'$&;|{}()\[\]<>,]*)(?:$|[\s"'&;|,}])`)

// Assigned finds, in a command line, a script or a form, a value that is written out for a name that holds a
// secret, and returns the name.
func Assigned(text string) (name string, found bool) {
	for from := 0; from < len(text); {
		m := assignment.FindStringSubmatchIndex(text[from:])
		if m == nil {
			return "", false
		}
		for _, group := range []int{2, 4} {
			if m[group] >= 0 {
				name = text[from+m[group] : from+m[group+1]]
				scheme := strings.ToLower(text[from+m[6] : from+m[7]]) // of which the rest is not written out
				if Name(name) && scheme != "bearer" && scheme != "basic" {
					return name, true
				}
				from += m[group+1] // the value may be the next name
				break
			}
		}
	}
	return "", false
}

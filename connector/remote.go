package connector

import (
	"time"

	"github.com/assay-eval/assay/internal/call"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/internal/secret"
)

// Remote holds the settings that every store behind HTTP takes beside its url. Embed it in the store's
// own settings.
type Remote struct {
	APIKey secret.Value   `option:"api_key" help:"key of the server, as {env: NAME} or {file: PATH}"`
	Header option.Headers `option:"headers" help:"further request headers; secret ones as {env: NAME} or {file: PATH}"`
	CAFile string         `option:"ca_file" path:"" help:"PEM certificates to trust beside the system's"`
	Limits
}

// Limits are the settings that every connector under a Policy takes.
type Limits struct {
	Timeout     time.Duration `option:"timeout" default:"30s" min:"0.001" help:"deadline of one call; run.timeout takes the place of this default"`
	Concurrency int           `option:"concurrency" default:"0" min:"0" help:"calls under way at once; 0 leaves it to the run"`
	Rate        float64       `option:"rate" default:"0" min:"0" help:"calls started per second; 0 for no limit"`
}

// CheckURL is what Check of a store's settings says of its url.
func CheckURL(url string) []option.Problem {
	if err := rest.CheckURL(url); err != nil {
		return []option.Problem{{Option: "url", Err: err}}
	}
	return nil
}

// Config turns the settings into those of a client. The caller adds what is its own: the header of the
// key, the calls it allows, a transport.
func (r Remote) Config(url string) rest.Config {
	return rest.Config{BaseURL: url, Headers: r.Header.Plain, SecretHeaders: r.Header.Secret, APIKey: r.APIKey, CAFile: r.CAFile, Timeout: r.Timeout}
}

// Policy turns the limits into the policy of a store whose client keeps the timeout itself.
func (l Limits) Policy(retry call.Policy) Policy {
	return Policy{Retry: retry, Concurrency: l.Concurrency, Rate: l.Rate}
}

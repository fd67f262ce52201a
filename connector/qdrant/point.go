package qdrant

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/assay-eval/assay/internal/rest"
)

// point is one point of a reply, scored or not.
type point struct {
	ID      id              `json:"id"`
	Score   *rest.Float     `json:"score"`
	Payload map[string]any  `json:"payload"`
	Vector  json.RawMessage `json:"vector"`
}

// id is a point id as text: the decimal digits of an unsigned 64-bit number, or a lower-case UUID.
type id string

var (
	digits = regexp.MustCompile(`^[0-9]{1,20}$`)
	uuid   = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
)

// UnmarshalJSON keeps the digits of a number, which float64 would round.
func (i *id) UnmarshalJSON(data []byte) error {
	if digits.Match(data) {
		*i = id(data)
		return nil
	}
	var s string
	if err := json.Unmarshal(data, &s); err != nil || !uuid.MatchString(strings.ToLower(s)) {
		return fmt.Errorf("%.50s is no point id: neither an unsigned number nor a UUID", data)
	}
	*i = id(strings.ToLower(s))
	return nil
}

// vectorOf picks the vector that is searched out of a point's: the point's only one, or the named one.
func vectorOf(raw json.RawMessage, using string) ([]float32, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	if using != "" {
		var named map[string]json.RawMessage
		if err := rest.Unmarshal(raw, &named); err != nil {
			return nil, fmt.Errorf("vectors without names: %w", err)
		}
		if raw = named[using]; raw == nil {
			return nil, nil
		}
	}
	var v rest.Vector
	if err := rest.Unmarshal(raw, &v); err != nil {
		return nil, err
	}
	return v, nil
}

package ledger

import (
	"encoding/json"
	"fmt"
	"math"
	"time"
)

// Time is an instant in a ledger. It is written as RFC 3339 in UTC; a time without a zone, as many
// scripts write it, is read as UTC.
type Time struct{ time.Time }

// Now is the present, cut to the millisecond so that it survives being written.
func Now() Time { return Time{time.Now().UTC().Truncate(time.Millisecond)} }

// timeLayouts are the forms accepted, in the order tried. Go's parser takes a fraction of a second after
// any of them.
var timeLayouts = []string{
	time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05Z0700",
	"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02",
}

// ParseTime reads an instant.
func ParseTime(s string) (Time, error) {
	for _, layout := range timeLayouts {
		if t, err := time.ParseInLocation(layout, s, time.UTC); err == nil {
			return Time{t.UTC()}, nil
		}
	}
	return Time{}, fmt.Errorf("%q is not a time such as 2026-12-02T10:00:00Z", s)
}

// MarshalJSON writes RFC 3339 in UTC with milliseconds only where there are any.
func (t Time) MarshalJSON() ([]byte, error) {
	layout := "2006-01-02T15:04:05.000Z"
	if t.Nanosecond() == 0 {
		layout = "2006-01-02T15:04:05Z"
	}
	return json.Marshal(t.UTC().Format(layout))
}

// mostSeconds is the largest number taken for seconds, in the year 5138; a larger one is milliseconds.
const mostSeconds = 1e11

// UnmarshalJSON reads a text in one of the accepted forms, or a number since 1970: of seconds, as time.time() of
// Python gives it, or of milliseconds, as Date.now() of JavaScript does.
func (t *Time) UnmarshalJSON(data []byte) error {
	var s string
	if err := json.Unmarshal(data, &s); err == nil {
		*t, err = ParseTime(s)
		return err
	}
	var seconds float64
	if err := json.Unmarshal(data, &seconds); err != nil {
		return fmt.Errorf("timestamp %s is neither text nor a number of seconds", data)
	}
	if math.Abs(seconds) > mostSeconds {
		seconds /= 1000
	}
	if math.Abs(seconds) > mostSeconds {
		return fmt.Errorf("timestamp %s is neither a number of seconds nor one of milliseconds since 1970", data)
	}
	*t = Time{time.UnixMicro(int64(seconds * 1e6)).UTC()}
	return nil
}

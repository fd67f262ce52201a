package ledger

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/jsonl"
)

// pointReader reads points, one after the other into the same place.
type pointReader struct {
	measures []string
	instant  bool // only the instant is asked for
	label    bool // only the instant and the system are
	point    Point
}

// seed is that of this process: a Point's Fingerprint is for telling neighbours apart and is never kept.
var seed = maphash.MakeSeed()

// read takes the members that a Point needs out of a line. What is not as plain as programs write it is decoded in full.
func (r *pointReader) read(line []byte) error {
	p := &r.point
	*p = Point{Values: p.Values[:0], Bounds: p.Bounds[:0]}
	for range r.measures {
		p.Values, p.Bounds = append(p.Values, math.NaN()), append(p.Bounds, [2]float64{math.NaN(), math.NaN()})
	}
	var config []byte
	plain, metrics := true, false
	ok := jsonl.Object(line, func(key, value []byte) bool {
		switch string(key) {
		case "timestamp":
			plain = p.Timestamp.UnmarshalJSON(value) == nil
		case "run":
			plain = text(value, &p.Run)
		case "name":
			plain = text(value, &p.Name)
		case "system":
			plain = text(value, &p.System)
		case "rescored":
			p.Rescored = string(value) == "true"
		case "config":
			config = value
		case "metrics":
			metrics = jsonl.Object(value, r.metric)
			plain = metrics
		case "intervals":
			plain = string(value) == "null" || jsonl.Object(value, r.bounds)
		case "fingerprint":
			p.Fingerprint = maphash.Bytes(seed, value)
		default:
			plain = !slices.ContainsFunc(members, func(m string) bool { return strings.EqualFold(m, string(key)) })
		}
		known := metrics && !p.Timestamp.IsZero() // the three plain keys come first, the system soon after
		return plain && !(known && (r.instant || r.label && p.System != ""))
	})
	if !ok || !plain || !metrics || p.Timestamp.IsZero() {
		return r.decode(line)
	}
	if p.Fingerprint == 0 && len(config) > 2 {
		p.Fingerprint = maphash.Bytes(seed, config)
	}
	if p.System == "" {
		p.System = "-"
		for _, want := range systemKeys {
			if found := configText(config, want); found != nil {
				p.System = *found
				break
			}
		}
	}
	return nil
}

var members = []string{"timestamp", "run", "name", "system", "rescored", "config", "metrics", "intervals", "fingerprint"}

// configText is the text of a key of the config; nil when it has none.
func configText(config []byte, want string) (found *string) {
	jsonl.Object(config, func(key, value []byte) bool {
		var s string
		if string(key) == want && len(value) > 0 && value[0] == '"' && text(value, &s) {
			found = &s
		}
		return true
	})
	return found
}

// text reads a string that is nothing but itself; any other is left to the decoder.
func text(value []byte, into *string) bool {
	if len(value) < 2 || value[0] != '"' {
		return string(value) == "null"
	}
	if bytes.IndexByte(value, '\\') >= 0 {
		return json.Unmarshal(value, into) == nil
	}
	*into = string(value[1 : len(value)-1])
	return true
}

func (r *pointReader) metric(key, value []byte) bool {
	for i, m := range r.measures {
		if m == string(key) {
			if v, err := strconv.ParseFloat(string(value), 64); err == nil {
				r.point.Values[i] = v
			}
		}
	}
	return true
}

func (r *pointReader) bounds(key, value []byte) bool {
	for i, m := range r.measures {
		if m == string(key) {
			if lo, hi, ok := bytes.Cut(bytes.Trim(value, "[]"), []byte(",")); ok {
				low, err1 := strconv.ParseFloat(string(bytes.TrimSpace(lo)), 64)
				high, err2 := strconv.ParseFloat(string(bytes.TrimSpace(hi)), 64)
				if err1 != nil || err2 != nil {
					return false // left to the decoder
				}
				r.point.Bounds[i] = [2]float64{low, high}
			}
		}
	}
	return true
}

// decode reads a line in full.
func (r *pointReader) decode(line []byte) error {
	var rec Record
	if err := json.Unmarshal(line, &rec); err != nil {
		return err
	}
	p := &r.point
	*p = Point{Timestamp: rec.Timestamp, Run: rec.Run, Name: rec.Name, System: rec.Label(), Rescored: rec.Rescored, Values: p.Values, Bounds: p.Bounds}
	for i, m := range r.measures {
		p.Values[i], p.Bounds[i] = math.NaN(), [2]float64{math.NaN(), math.NaN()}
		if v, ok := rec.Metrics[m]; ok {
			p.Values[i] = v
		}
		if b, ok := rec.Intervals[m]; ok {
			p.Bounds[i] = b
		}
	}
	if f := rec.Made(); len(f) > 0 {
		p.Fingerprint = maphash.String(seed, f.Hash())
	}
	return nil
}

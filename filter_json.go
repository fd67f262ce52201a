package assay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// filterKeys are the JSON keys in canonical order.
var filterKeys = []string{"and", "or", "not", "field", "eq", "ne", "in", "gt", "gte", "lt", "lte", "exists", "native"}

// ParseFilter reads and checks a filter in its JSON form.
func ParseFilter(data []byte) (*Filter, error) {
	f := new(Filter)
	if err := f.UnmarshalJSON(data); err != nil {
		return nil, err
	}
	return f, nil
}

// UnmarshalJSON reads the JSON form strictly: an unknown or repeated key, a mixed shape, a value that is
// not a scalar or anything after the filter is an error.
func (f *Filter) UnmarshalJSON(data []byte) error {
	*f = Filter{}
	if err := f.parse(data, 1); err != nil {
		return err
	}
	return f.Validate()
}

// parse reads one level itself, and not by way of encoding/json, so that the depth is known.
func (f *Filter) parse(data []byte, depth int) error {
	if depth > MaxFilterDepth {
		return fmt.Errorf("filter: nested deeper than %d", MaxFilterDepth)
	}
	values, err := members(data)
	if err != nil {
		return fmt.Errorf("filter: %w", err)
	}
	for _, k := range filterKeys {
		if raw, ok := values[k]; ok {
			if err := f.setKey(k, raw, depth); err != nil {
				return err
			}
		}
	}
	return nil
}

// members reads an object whose keys are filterKeys, each at most once.
func members(data []byte) (map[string]json.RawMessage, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil {
		return nil, err
	} else if t != json.Delim('{') {
		return nil, fmt.Errorf("%.40s is not an object", data)
	}
	out := map[string]json.RawMessage{}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return nil, err
		}
		k := t.(string) // the decoder lets nothing else stand for a key
		if !slices.Contains(filterKeys, k) {
			return nil, fmt.Errorf("unknown key %q (known: %s)", k, strings.Join(filterKeys, ", "))
		}
		if _, twice := out[k]; twice {
			return nil, fmt.Errorf("key %q stands twice", k)
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, err
		}
		out[k] = raw
	}
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("more follows the filter")
	}
	return out, nil
}

func (f *Filter) setKey(key string, raw json.RawMessage, depth int) (err error) {
	wrap := func(err error) error {
		if err != nil {
			return fmt.Errorf("filter: %s: %w", key, err)
		}
		return nil
	}
	switch key {
	case "and":
		f.And, err = parseList(raw, depth+1)
		return err
	case "or":
		f.Or, err = parseList(raw, depth+1)
		return err
	case "not":
		f.Not = new(Filter)
		return f.Not.parse(raw, depth+1)
	case "field":
		return wrap(decode(raw, &f.Field, "a string"))
	case "exists":
		return wrap(decode(raw, &f.Exists, "true or false"))
	case "native":
		f.Native = slices.Clone(raw)
		return nil
	case "in":
		var list []json.RawMessage
		if err := decode(raw, &list, "a list of values"); err != nil {
			return wrap(err)
		}
		f.In = make([]any, len(list))
		for i := range list {
			if f.In[i], err = scalar(list[i]); err != nil {
				return wrap(err)
			}
		}
		return nil
	}
	v, err := scalar(raw)
	*map[string]*any{"eq": &f.Eq, "ne": &f.Ne, "gt": &f.Gt, "gte": &f.Gte, "lt": &f.Lt, "lte": &f.Lte}[key] = v
	return wrap(err)
}

// decode is json.Unmarshal with an error that says what is due instead of naming a type of Go.
func decode(raw json.RawMessage, v any, due string) error {
	err := json.Unmarshal(raw, v)
	var typ *json.UnmarshalTypeError
	if errors.As(err, &typ) {
		return fmt.Errorf("cannot unmarshal %s: %s is due", typ.Value, due)
	}
	return err
}

func parseList(raw json.RawMessage, depth int) ([]Filter, error) {
	var list []json.RawMessage
	if err := decode(raw, &list, "a list of filters"); err != nil {
		return nil, fmt.Errorf("filter: %w", err)
	}
	out := make([]Filter, len(list))
	for i := range list {
		if err := out[i].parse(list[i], depth); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// scalar decodes one filter value, keeping the digits of 64-bit integers. A number that would not keep its
// value is refused, since it would be compared as another.
func scalar(raw json.RawMessage) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	n, isNumber := v.(json.Number)
	switch v := NormalizeValue(v).(type) {
	case string:
		if isNumber {
			return nil, fmt.Errorf("%s is beyond what a 64-bit number holds", raw)
		}
		return v, nil
	case float64:
		if !strings.ContainsAny(n.String(), ".eE") {
			return nil, fmt.Errorf("%s is beyond what a 64-bit integer holds", raw)
		}
		return v, nil
	case bool, int64, uint64:
		return v, nil
	}
	return nil, fmt.Errorf("%s is not a string, number or boolean", raw)
}

// MarshalJSON writes the canonical form: keys in one fixed order, so equal filters have equal bytes.
func (f Filter) MarshalJSON() ([]byte, error) {
	values := map[string]any{"eq": f.Eq, "ne": f.Ne, "gt": f.Gt, "gte": f.Gte, "lt": f.Lt, "lte": f.Lte}
	if f.And != nil {
		values["and"] = f.And
	}
	if f.Or != nil {
		values["or"] = f.Or
	}
	if f.Not != nil {
		values["not"] = f.Not
	}
	if f.Field != "" {
		values["field"] = f.Field
	}
	if f.In != nil {
		values["in"] = f.In
	}
	if f.Exists != nil {
		values["exists"] = *f.Exists
	}
	if f.Native != nil {
		values["native"] = f.Native
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for _, k := range filterKeys {
		v := values[k]
		if v == nil {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		raw, err := marshalPlain(v)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:%s", k, raw)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// marshalPlain is json.Marshal without HTML escaping, which would change the bytes of an id.
func marshalPlain(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

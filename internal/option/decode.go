package option

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/nearest"
)

// Env is what settings may refer to.
type Env struct {
	Dir    string                      // relative paths start here
	Lookup func(string) (string, bool) // environment variables; nil checks the form of secrets without fetching them
}

// Problem is one thing wrong with one option.
type Problem struct {
	Option string // name, dotted for an entry of a map; never empty
	Err    error
}

// Error says which option and what.
func (p Problem) Error() string { return p.Option + ": " + p.Err.Error() }

// Unwrap returns the cause.
func (p Problem) Unwrap() error { return p.Err }

// Join makes one usage error of problems, nil of none.
func Join(problems []Problem) error {
	var errs []error
	for _, p := range problems {
		errs = append(errs, p)
	}
	return assay.Classify(errors.Join(errs...), assay.ErrUsage)
}

// Decode fills settings, a pointer to a tagged struct, from decoded YAML: defaults first, then the given
// values. All problems are reported, sorted by option.
func Decode(values map[string]any, settings any, env Env) []Problem {
	v := reflect.ValueOf(settings).Elem()
	var problems []Problem
	known := fields(v.Type())
	var names []string
	for _, f := range known {
		names = append(names, f.Name)
		raw, given := values[f.Name]
		if given && raw == nil {
			given = false // "key:" with nothing behind it
		}
		switch {
		case given:
		case f.Required:
			problems = append(problems, Problem{f.Name, fmt.Errorf("is missing: %s", f.Help)})
			continue
		case f.Default == "":
			continue
		default:
			raw = f.Default
		}
		problems = append(problems, setField(v.FieldByIndex(f.index), f, raw, env)...)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(names, name) {
			problems = append(problems, Problem{name, fmt.Errorf("no such option%s", nearest.Suggest(name, names))})
		}
	}
	slices.SortStableFunc(problems, func(a, b Problem) int { return cmp.Compare(a.Option, b.Option) })
	return problems
}

// setField fills one option, which may have several problems.
func setField(v reflect.Value, f field, raw any, env Env) []Problem {
	switch f.typ {
	case headersType:
		return setHeaders(v.Addr().Interface().(*Headers), f.Name, raw, env)
	case secretsType:
		return setSecrets(v.Addr().Interface().(*Secrets), f.Name, raw, env)
	case argumentsType:
		return setArguments(v.Addr().Interface().(*Arguments), f.Name, raw, env)
	}
	err := set(v, f, raw, env)
	if err == nil && shows(raw) {
		err = errShows
	}
	if err != nil {
		return []Problem{{f.Name, err}}
	}
	return nil
}

func set(v reflect.Value, f field, raw any, env Env) error {
	switch f.typ {
	case secretType:
		s, err := fetch(raw, env)
		v.Set(reflect.ValueOf(s))
		return err
	case durationType:
		return setDuration(v, f, raw)
	case listType:
		return setList(v, raw)
	case mapType:
		m, ok := raw.(map[string]any)
		if !ok {
			return fmt.Errorf("needs a map, got %s", show(raw))
		}
		v.Set(reflect.ValueOf(m))
		return nil
	case anyType:
		v.Set(reflect.ValueOf(raw))
		return nil
	}
	switch v.Kind() {
	case reflect.String:
		return setText(v, f, raw, env)
	case reflect.Bool:
		b, err := toBool(raw)
		v.SetBool(b)
		return err
	case reflect.Int:
		x, err := toNumber(raw)
		if err == nil && (x != math.Trunc(x) || math.Abs(x) > 1<<53) {
			err = fmt.Errorf("needs a whole number, got %s", show(raw))
		}
		if err != nil {
			return err
		}
		v.SetInt(int64(x))
		return atLeast(x, f.min)
	default:
		x, err := toNumber(raw)
		v.SetFloat(x)
		return cmp.Or(err, atLeast(x, f.min))
	}
}

func setText(v reflect.Value, f field, raw any, env Env) error {
	s, ok := raw.(string)
	if !ok {
		return fmt.Errorf("needs text, got %s", show(raw))
	}
	if len(f.Values) > 0 && !slices.Contains(f.Values, s) {
		return fmt.Errorf("%q is not one of %s%s", s, strings.Join(f.Values, ", "), nearest.Suggest(s, f.Values))
	}
	if f.Required && s == "" {
		return fmt.Errorf("is empty: %s", f.Help)
	}
	if f.path && s != "" && !filepath.IsAbs(s) {
		s = filepath.Join(env.Dir, s)
	}
	v.SetString(s)
	return nil
}

func setDuration(v reflect.Value, f field, raw any) error {
	s, ok := raw.(string)
	if !ok {
		return fmt.Errorf("needs a duration such as 30s or 500ms, got %s", show(raw))
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return fmt.Errorf("needs a duration such as 30s or 500ms, got %q", s)
	}
	v.SetInt(int64(d))
	return atLeast(d.Seconds(), f.min)
}

// setList takes a list of texts, or one text alone.
func setList(v reflect.Value, raw any) error {
	var out []string
	switch raw := raw.(type) {
	case string:
		out = []string{raw}
	case []string:
		out = raw
	case []any:
		for _, item := range raw {
			s, ok := item.(string)
			if !ok {
				return fmt.Errorf("needs a list of texts, got %s in it", show(item))
			}
			out = append(out, s)
		}
	default:
		return fmt.Errorf("needs a list of texts, got %s", show(raw))
	}
	v.Set(reflect.ValueOf(out))
	return nil
}

func toBool(raw any) (bool, error) {
	switch b := raw.(type) {
	case bool:
		return b, nil
	case string: // a default in a struct tag
		if v, err := strconv.ParseBool(b); err == nil {
			return v, nil
		}
	}
	return false, fmt.Errorf("needs true or false, got %s", show(raw))
}

func toNumber(raw any) (float64, error) {
	switch x := assay.NormalizeValue(raw).(type) {
	case int64:
		return float64(x), nil
	case uint64:
		return float64(x), nil
	case float64:
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			return x, nil
		}
	case string: // a default in a struct tag
		if v, err := strconv.ParseFloat(x, 64); err == nil {
			return v, nil
		}
	}
	return 0, fmt.Errorf("needs a number, got %s", show(raw))
}

func atLeast(x float64, least string) error {
	if least == "" {
		return nil
	}
	m, err := strconv.ParseFloat(least, 64)
	if err != nil {
		panic("option: min " + least)
	}
	if x < m {
		return fmt.Errorf("must be at least %s", least)
	}
	return nil
}

// show renders a wrong value for a message, bounded. A map may be a misplaced secret: its inside stays
// unsaid.
func show(raw any) string {
	switch raw.(type) {
	case map[string]any:
		return "a map"
	case []any:
		return "a list"
	case nil:
		return "nothing"
	}
	b, err := json.Marshal(raw)
	if err != nil {
		return fmt.Sprintf("%T", raw)
	}
	if len(b) > 60 {
		return string(b[:60]) + "…"
	}
	return string(b)
}

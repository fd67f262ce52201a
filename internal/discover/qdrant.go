package discover

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/rest"
)

// askQdrant lists the dense vectors of every collection.
func askQdrant(ctx context.Context, o *Options, s *Server) error {
	c, err := s.client(o)
	if err != nil {
		return err
	}
	var hello struct{ Title, Version string }
	if err := get(ctx, c, "/", nil, &hello); err != nil {
		return err
	}
	if !strings.Contains(hello.Title, "qdrant") {
		return notThis("Qdrant")
	}
	s.Product = "Qdrant " + hello.Version
	var list struct {
		Result struct{ Collections []struct{ Name string } }
	}
	if err := get(ctx, c, "/collections", nil, &list); err != nil {
		s.Problem = "its collections could not be listed: " + reason(err)
		return nil
	}
	names := make([]string, 0, len(list.Result.Collections))
	for _, x := range list.Result.Collections {
		names = append(names, x.Name)
	}
	slices.Sort(names)
	for _, name := range names[:min(len(names), mostCollections)] {
		s.Collections = append(s.Collections, qdrantCollection(ctx, c, name)...)
	}
	return nil
}

type qdrantVector struct {
	Size     int
	Distance string
}

// qdrantCollection is a Collection for each dense vector of one collection.
func qdrantCollection(ctx context.Context, c *rest.Client, name string) []Collection {
	var info struct {
		Result struct {
			Points *int `json:"points_count"`
			Config struct {
				Params struct{ Vectors json.RawMessage }
			}
		}
	}
	if get(ctx, c, rest.Path("collections", name), nil, &info) != nil {
		return nil
	}
	count := -1
	if info.Result.Points != nil {
		count = *info.Result.Points
	}
	raw := info.Result.Config.Params.Vectors
	vectors := map[string]qdrantVector{}
	var one qdrantVector
	if json.Unmarshal(raw, &one) == nil && one.Size > 0 {
		vectors[""] = one
	} else if json.Unmarshal(raw, &vectors) != nil {
		return nil
	}
	var out []Collection
	for _, using := range slices.Sorted(maps.Keys(vectors)) {
		v := vectors[using]
		out = append(out, Collection{Name: name, Using: using, Count: count, Dimension: v.Size, Distance: strings.ToLower(v.Distance)})
	}
	return out
}

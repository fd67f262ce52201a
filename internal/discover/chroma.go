package discover

import (
	"cmp"
	"context"
	"net/url"

	"github.com/assay-eval/assay/internal/rest"
)

// The names under which Chroma keeps everything unless somebody says otherwise.
const (
	defaultTenant   = "default_tenant"
	defaultDatabase = "default_database"
)

// mostCollections bounds how many collections of one server are looked at.
const mostCollections = 200

// askChroma lists the collections of one database, over API v2.
func askChroma(ctx context.Context, o *Options, s *Server) error {
	c, err := s.client(o)
	if err != nil {
		return err
	}
	var beat map[string]any
	if err := get(ctx, c, "/api/v2/heartbeat", nil, &beat); err != nil {
		return err
	}
	if _, ok := beat["nanosecond heartbeat"]; !ok {
		return notThis("Chroma")
	}
	var version string
	_ = get(ctx, c, "/api/v2/version", nil, &version) // nice to know
	s.Product = "Chroma API " + cmp.Or(version, "v2")
	tenant, _ := o.lookup("CHROMA_TENANT")
	database, _ := o.lookup("CHROMA_DATABASE")
	s.Tenant, s.Database = cmp.Or(tenant, defaultTenant), cmp.Or(database, defaultDatabase)
	base := []string{"api", "v2", "tenants", s.Tenant, "databases", s.Database, "collections"}
	var list []struct {
		ID, Name      string
		Dimension     int
		Metadata      map[string]any
		Configuration struct {
			HNSW  struct{ Space string }
			SPANN struct{ Space string }
		} `json:"configuration_json"`
	}
	if err := get(ctx, c, rest.Path(base...), url.Values{"limit": {"200"}}, &list); err != nil {
		s.Problem = "its collections could not be listed: " + reason(err)
		return nil
	}
	for _, x := range list[:min(len(list), mostCollections)] {
		count := -1
		if get(ctx, c, rest.Path(append(base, x.ID, "count")...), nil, &count) != nil {
			count = -1
		}
		legacy, _ := x.Metadata["hnsw:space"].(string)
		space := cmp.Or(x.Configuration.HNSW.Space, x.Configuration.SPANN.Space, legacy, "l2")
		s.Collections = append(s.Collections, Collection{Name: x.Name, Count: count, Dimension: x.Dimension,
			Distance: map[string]string{"l2": "euclid", "ip": "dot", "cosine": "cosine"}[space]})
	}
	if s.Tenant == defaultTenant && s.Database == defaultDatabase {
		s.Tenant, s.Database = "", ""
	}
	return nil
}

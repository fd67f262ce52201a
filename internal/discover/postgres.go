package discover

import "context"

func askPostgres(context.Context, *Options, address) ([]Server, error) { return nil, nil }

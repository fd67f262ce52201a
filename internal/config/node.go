package config

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/assay-eval/assay/internal/secret"
)

// node is a YAML value that knows where it stands. Exactly one of fields, items and scalar is in use.
type node struct {
	where  string // file:line, or the --set argument
	fields []field
	items  []*node
	scalar any // string, bool, int64, uint64, float64 or nil
	kind   nodeKind
}

type nodeKind int

const (
	scalarNode nodeKind = iota
	mapNode
	listNode
)

type field struct {
	key   string
	where string
	value *node
}

func (n *node) get(key string) *node {
	for _, f := range n.fields {
		if f.key == key {
			return f.value
		}
	}
	return nil
}

// set replaces or adds a field.
func (n *node) set(key, where string, v *node) {
	for i := range n.fields {
		if n.fields[i].key == key {
			n.fields[i].value = v
			return
		}
	}
	n.fields = append(n.fields, field{key, where, v})
}

func (n *node) describe() string {
	switch {
	case n.kind == mapNode:
		return "a mapping"
	case n.kind == listNode:
		return "a list"
	case n.scalar == nil:
		return "nothing"
	}
	if s, ok := n.scalar.(string); ok {
		return fmt.Sprintf("the text %q", s)
	}
	return fmt.Sprint(n.scalar)
}

// parse reads one YAML document. A syntax error carries the place that the parser names.
func parse(data []byte, file string) (root *node, err error) {
	// The parser is fuzzed upstream, but a config file must never crash the program.
	defer func() {
		if r := recover(); r != nil {
			root, err = nil, fmt.Errorf("%s: not readable as YAML: %v", file, r)
		}
	}()
	// Editors on Windows begin a file with a byte order mark.
	f, err := parser.ParseBytes(bytes.TrimPrefix(data, []byte("\ufeff")), 0)
	if err != nil {
		return nil, syntaxError(file, err)
	}
	if len(f.Docs) == 0 || f.Docs[0].Body == nil {
		return &node{where: file + ":1", kind: mapNode}, nil
	}
	if len(f.Docs) > 1 {
		return nil, fmt.Errorf("%s: holds %d YAML documents; one is expected", file, len(f.Docs))
	}
	c := converter{file: file, anchors: map[string]ast.Node{}}
	return c.convert(f.Docs[0].Body, 0)
}

func syntaxError(file string, err error) error {
	var y yaml.Error
	if errors.As(err, &y) && y.GetToken() != nil {
		pos := y.GetToken().Position
		return fmt.Errorf("%s:%d:%d: %s", file, pos.Line, pos.Column, y.GetMessage())
	}
	return fmt.Errorf("%s: %s", file, strings.TrimSpace(err.Error()))
}

const maxDepth = 64

// maxNodes bounds what aliases can multiply a small file into.
const maxNodes = 100_000

type converter struct {
	file    string
	anchors map[string]ast.Node
	nodes   int
}

func (c *converter) where(n ast.Node) string {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return fmt.Sprintf("%s:%d", c.file, t.Position.Line)
	}
	return c.file
}

func (c *converter) convert(n ast.Node, depth int) (*node, error) {
	out := &node{where: c.where(n)}
	if depth > maxDepth {
		return nil, fmt.Errorf("%s: nested more than %d deep", out.where, maxDepth)
	}
	if c.nodes++; c.nodes > maxNodes {
		return nil, fmt.Errorf("%s: holds more than %d values", out.where, maxNodes)
	}
	switch n := n.(type) {
	case *ast.AnchorNode:
		c.anchors[n.Name.GetToken().Value] = n.Value
		return c.convert(n.Value, depth+1)
	case *ast.AliasNode:
		target, ok := c.anchors[n.Value.GetToken().Value]
		if !ok {
			return nil, fmt.Errorf("%s: alias *%s has no anchor", out.where, n.Value.GetToken().Value)
		}
		return c.convert(target, depth+1)
	case *ast.TagNode:
		return c.convert(n.Value, depth+1)
	case *ast.MappingNode:
		out.kind = mapNode
		for _, v := range n.Values {
			if err := c.addField(out, v, depth); err != nil {
				return nil, err
			}
		}
		return out, nil
	case *ast.MappingValueNode:
		out.kind = mapNode
		return out, c.addField(out, n, depth)
	case *ast.SequenceNode:
		out.kind = listNode
		for _, v := range n.Values {
			item, err := c.convert(v, depth+1)
			if err != nil {
				return nil, err
			}
			out.items = append(out.items, item)
		}
		return out, nil
	case *ast.LiteralNode:
		out.scalar = n.Value.Value
		return out, nil
	case ast.ScalarNode:
		switch v := n.GetValue().(type) {
		case int:
			out.scalar = int64(v)
		case uint64:
			if out.scalar = v; v <= math.MaxInt64 {
				out.scalar = int64(v)
			}
		default:
			out.scalar = v
		}
		return out, nil
	}
	return nil, fmt.Errorf("%s: a YAML %s is not supported here", out.where, n.Type())
}

func (c *converter) addField(out *node, v *ast.MappingValueNode, depth int) error {
	if v.Key.IsMergeKey() {
		return fmt.Errorf("%s: merge keys (<<) are not supported", c.where(v.Key))
	}
	key := fmt.Sprint(v.Key.GetToken().Value)
	if out.get(key) != nil {
		return fmt.Errorf("%s: key %q stands twice", c.where(v.Key), key)
	}
	value, err := c.convert(v.Value, depth+1)
	if err != nil {
		return err
	}
	out.fields = append(out.fields, field{key, c.where(v.Key), value})
	return nil
}

// applySet puts one --set argument, "dotted.key=value", over the tree; the value is read as YAML.
func applySet(root *node, arg string) error {
	path, raw, ok := strings.Cut(arg, "=")
	where := "--set " + arg
	if secret.HeaderName(path) || secret.Shows(raw) || strings.Contains(raw, "://") || strings.Contains(raw, "{") {
		where = "--set " + path // the rest may hold a secret
	}
	if !ok || path == "" {
		return fmt.Errorf("%s: expected key=value, such as --set run.workers=4", where)
	}
	wrapped, err := parse([]byte("value: "+raw), where)
	if err != nil {
		return err
	}
	value := wrapped.get("value")
	if value == nil {
		return fmt.Errorf("%s: what follows the = is not one YAML value", where)
	}
	relocate(value, where)
	keys := strings.Split(path, ".")
	n := root
	for _, k := range keys[:len(keys)-1] {
		next := n.get(k)
		if next == nil || next.kind != mapNode {
			next = &node{where: where, kind: mapNode}
			n.set(k, where, next)
		}
		n = next
	}
	n.set(keys[len(keys)-1], where, value)
	return nil
}

func relocate(n *node, where string) {
	n.where = where
	for i := range n.fields {
		n.fields[i].where = where
		relocate(n.fields[i].value, where)
	}
	for _, it := range n.items {
		relocate(it, where)
	}
}

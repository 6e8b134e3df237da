package main

import (
	"context"
	"path/filepath"
)

// venue makes a demonstration's file.
func (b *bench) venue(ctx context.Context, name string, _ int) (string, error) {
	path := filepath.Join(b.scratch, name)
	p, err := b.demo(ctx, path, noon)
	if err != nil {
		return "", err
	}
	return path, p.end()
}

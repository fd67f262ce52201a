package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// build compiles assay as a release does, into dir, and names the binary.
func build(dir string) (string, error) {
	bin := filepath.Join(dir, "assay")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", bin, "./cmd/assay")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return bin, nil
}

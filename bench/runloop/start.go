package main

import (
	"fmt"
	"os"
	"os/exec"
	"time"
)

// start prints how long `assay version` takes, process and all, and the size of the release binary.
func start(turns int) error {
	dir, err := os.MkdirTemp("", "runloop")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bin, err := build(dir)
	if err != nil {
		return err
	}
	info, err := os.Stat(bin)
	if err != nil {
		return err
	}
	var took []float64
	for turn := range turns + 1 {
		began := time.Now()
		if err := exec.Command(bin, "version").Run(); err != nil {
			return err
		}
		if turn > 0 { // the first reads the file from disk
			took = append(took, float64(time.Since(began).Microseconds())/1000)
		}
	}
	fmt.Printf("binary: %.1f MB\nassay version: %s ms\n", float64(info.Size())/1e6, spread(took, "%.1f"))
	return nil
}

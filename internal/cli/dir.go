package cli

import "path/filepath"

// projectDir is the folder of the project: that of the configuration file, which need not exist for
// commands that only read what runs left behind.
func (a *app) projectDir() (string, error) {
	file, err := filepath.Abs(a.configFile)
	return filepath.Dir(file), err
}

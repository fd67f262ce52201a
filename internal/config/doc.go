// Package config reads assay.yaml.
//
// It is strict: an unknown key, a wrong type, a literal secret or a name that refers to nothing is
// refused before any work, every problem at once, each with file and line and the nearest valid name.
// Defaults are set first, the file over them, --set over the file.
package config

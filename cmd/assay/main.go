// Command assay evaluates retrieval in self-hosted RAG pipelines.
package main

import (
	"os"

	"github.com/assay-eval/assay/internal/cli"
)

func main() { os.Exit(cli.Main()) }

// Reads dashboards with Grafana's own types, strictly: a field that Grafana does not know, or a value that it does not
// take, ends with 1. No Grafana is packaged for the tests; its types are.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

func read(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	board := dashboard.Dashboard{}
	if err := faults(board.UnmarshalJSONStrict(text)); err != nil {
		return err
	}
	return faults(board.Validate())
}

// Without any fault the types return an empty list of them, which as an error is not nil.
func faults(err error) error {
	var all cog.BuildErrors
	if errors.As(err, &all) && len(all) == 0 {
		return nil
	}
	return err
}

func main() {
	plugins.RegisterDefaultPlugins()
	failed := false
	for _, file := range os.Args[1:] {
		if err := read(file); err != nil {
			failed = true
			fmt.Fprintf(os.Stderr, "%s: %v\n", file, err)
		}
	}
	if failed {
		os.Exit(1)
	}
}

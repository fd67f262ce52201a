package cli

import "github.com/spf13/cobra"

// commands lists every command, in the order of help.
func commands(a *app) []*cobra.Command {
	return []*cobra.Command{
		newConfig(a),
		newDemo(a),
		newInit(a),
		newDoctor(a),
		newSearch(a),
		newGenerate(a),
		newImport(a),
		newAdd(a),
		newExport(a),
		newLabels(a),
		newQueries(a),
		newRun(a),
		newLabel(a),
		newCompare(a),
		newBaseline(a),
		newGate(a),
		newJudge(a),
		newAgree(a),
		newReport(a),
		newHistory(a),
		newScore(a),
		newMeasures(a),
		newRuns(a),
		newRescore(a),
		newStores(a),
		newSchema(a),
		newVersion(a),
	}
}

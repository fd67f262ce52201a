package doctor

// Status is what a check says of a subject.
type Status string

// The statuses. A fault makes numbers wrong; a warning is a doubt that the numbers carry; NotChecked says
// that nobody knows, and Found says why.
const (
	OK         Status = "ok"
	Warning    Status = "warning"
	Fault      Status = "fault"
	NotChecked Status = "not_checked"
)

// Finding is what one check found out about one subject.
type Finding struct {
	Check   string             `json:"check"`             // name of the check
	Subject string             `json:"subject"`           // "system docs", "model nomic", "corpus", "test set"
	Status  Status             `json:"status"`            //
	Cause   string             `json:"cause,omitempty"`   // stable word for a kind of fault, for scripts
	Found   string             `json:"found"`             // what was seen, or why nothing could be
	Effect  string             `json:"effect,omitempty"`  // what it does to the numbers
	Fix     string             `json:"fix,omitempty"`     // what to do, with a command or a line of assay.yaml
	Where   string             `json:"where,omitempty"`   // file:line of the subject in assay.yaml
	Figures map[string]float64 `json:"figures,omitempty"` // what was measured, by name
}

// Report is an examination.
type Report struct {
	Findings []Finding `json:"findings"`
	Sample   int       `json:"sample"` // chunks and queries looked at in each place, at most
	Seed     uint64    `json:"seed"`   // of that sample
}

// Count is the number of findings with a status.
func (r *Report) Count(s Status) int {
	n := 0
	for _, f := range r.Findings {
		if f.Status == s {
			n++
		}
	}
	return n
}

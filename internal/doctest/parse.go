package doctest

import (
	"fmt"
	"strconv"
	"strings"
)

// Document is the executable part of a Markdown file.
type Document struct {
	After string   // file name of the document whose folder this one goes on in; "" for an empty folder
	Needs []string // parts that must be there
	Ports []string // port numbers that stand for free ones
	Steps []Step   // in order
}

// Step is a file to write or a block of commands to run.
type Step struct {
	Line int // of the opening fence, counted from 1

	File string // name of the file to write; "" for commands
	Text string // content of the file

	Commands []Command
	Exit     int     // exit code of the last command
	Near     float64 // how far a number may be off
}

// Command is one command with the output that the document shows.
type Command struct {
	Line   int // of its first line, counted from 1
	Text   string
	Output []string
	start  int // index of the first line of output in the document
}

const (
	fence     = "```"
	directive = "<!-- doctest:"
)

// Parse reads a document. A directive that is misspelt, or that stands before no fence, is an error: it
// would switch a test off in silence.
func Parse(text string) (*Document, error) {
	d := &Document{}
	lines := strings.Split(text, "\n")
	var next Step // what directives have said about the next fence
	pending := 0  // line of the first of them
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, directive):
			forFence, err := d.direct(&next, line)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			if forFence && pending == 0 {
				pending = i + 1
			}
		case strings.HasPrefix(line, fence):
			end := i + 1
			for end < len(lines) && lines[end] != fence {
				end++
			}
			if end == len(lines) {
				return nil, fmt.Errorf("line %d: the fence is not closed", i+1)
			}
			next.Line = i + 1
			if err := d.add(next, strings.TrimPrefix(line, fence), lines[i+1:end]); err != nil {
				return nil, err
			}
			next, pending, i = Step{}, 0, end
		case pending > 0 && strings.TrimSpace(line) != "":
			return nil, fmt.Errorf("line %d: the directive stands before no fence", pending)
		}
	}
	if pending > 0 {
		return nil, fmt.Errorf("line %d: the directive stands before no fence", pending)
	}
	return d, nil
}

// direct reads one directive; forFence is true for those about the next fence.
func (d *Document) direct(next *Step, line string) (forFence bool, err error) {
	body, closed := strings.CutSuffix(strings.TrimPrefix(line, directive), "-->")
	words := strings.Fields(body)
	if !closed || len(words) < 2 {
		return false, fmt.Errorf("no directive: %s", line)
	}
	word, args := words[0], words[1:]
	switch word {
	case "after":
		d.After = args[0]
		return false, nil
	case "needs":
		d.Needs = append(d.Needs, args...)
		return false, nil
	case "port":
		d.Ports = append(d.Ports, args...)
		return false, nil
	case "file":
		next.File = args[0]
	case "exit":
		next.Exit, err = strconv.Atoi(args[0])
	case "near":
		next.Near, err = strconv.ParseFloat(args[0], 64)
	default:
		return false, fmt.Errorf("unknown directive %q", word)
	}
	if err == nil && len(args) > 1 {
		err = fmt.Errorf("%s takes one word: %s", word, line)
	}
	return true, err
}

// add takes a fence in, if it is one to execute.
func (d *Document) add(s Step, language string, body []string) error {
	switch {
	case s.File != "":
		s.Text = strings.Join(body, "\n") + "\n"
	case language == "console":
		if err := s.commands(body); err != nil {
			return err
		}
	case s.Exit != 0 || s.Near != 0:
		return fmt.Errorf("line %d: the directive is for a console fence", s.Line)
	default:
		return nil
	}
	d.Steps = append(d.Steps, s)
	return nil
}

func (s *Step) commands(body []string) error {
	for i := 0; i < len(body); i++ {
		text, ok := strings.CutPrefix(body[i], "$ ")
		if !ok {
			if len(s.Commands) == 0 {
				return fmt.Errorf("line %d: a console fence starts with a command: $ …", s.Line+i+1)
			}
			c := &s.Commands[len(s.Commands)-1]
			c.Output = append(c.Output, body[i])
			continue
		}
		c := Command{Line: s.Line + i + 1, Text: text}
		for strings.HasSuffix(c.Text, "\\") && i+1 < len(body) {
			i++
			c.Text += "\n" + body[i]
		}
		c.start = s.Line + i + 1
		s.Commands = append(s.Commands, c)
	}
	return nil
}

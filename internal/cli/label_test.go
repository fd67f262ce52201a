//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/assay-eval/assay"
)

// rater is a person at the labelling page, without the page.
type rater struct {
	testing.TB
	who  string
	base string
	http *http.Client
}

// labelling starts `assay label` and comes in by the address it prints.
func (f *folder) labelling(who string, args ...string) (*process, *rater) {
	f.Helper()
	p := f.prepare(append([]string{"label"}, args...)...)
	out, in := io.Pipe()
	p.Stdout = in
	f.launch(p)
	f.Cleanup(func() { in.Close() })
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		address := lines.Text()
		if !strings.HasPrefix(address, "http://127.0.0.1:") {
			continue
		}
		jar, _ := cookiejar.New(nil)
		r := &rater{f, who, address[:strings.Index(address, "/?")], &http.Client{Jar: jar, Timeout: 30 * time.Second}}
		resp, err := r.http.Get(address)
		if err != nil {
			f.Fatal(err)
		}
		resp.Body.Close()
		return p, r
	}
	p.stop(syscall.SIGKILL)
	f.Fatalf("no address was printed\n%s", &p.err)
	return nil, nil
}

// given is what the page is sent.
type given struct {
	Task *struct {
		Item  string `json:"item"`
		Query string `json:"query"`
	} `json:"task"`
	Seq int `json:"seq"`
}

// post asks the server for something. It fails only when the server is gone.
func (r *rater) post(path string, body map[string]any) (given, error) {
	r.Helper()
	body["who"] = r.who
	data, _ := json.Marshal(body)
	resp, err := r.http.Post(r.base+"/api/"+path, "application/json", bytes.NewReader(data))
	if err != nil {
		return given{}, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return given{}, err
	}
	if resp.StatusCode != http.StatusOK {
		r.Fatalf("%s: %s %s", path, resp.Status, text)
	}
	var g given
	if err := json.Unmarshal(text, &g); err != nil {
		r.Fatal(err)
	}
	return g, nil
}

// TestLabellingKilled kills the labelling server with kill -9 at random moments while two people judge: every answer that was
// accepted is in the file, whole and once, and nobody is asked again for it.
func TestLabellingKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	f := newFolder(t)
	f.run(0, "demo", ".")
	before := len(records[assay.Label](f, "testset/labels.jsonl"))
	chance := rand.New(rand.NewPCG(7, 52))
	var mu sync.Mutex
	accepted := map[string]int{} // by person and seq
	asked := map[string]bool{}
	for range 8 {
		p, first := f.labelling("ann", "--second", "0", "--repeats", "0")
		second := *first
		second.who = "ben"
		var wg sync.WaitGroup
		for _, r := range []*rater{first, &second} {
			wg.Go(func() {
				g, err := r.post("next", map[string]any{})
				for err == nil && g.Task != nil {
					item, seq := g.Task.Item, g.Seq
					g, err = r.post("answer", map[string]any{"item": item, "seq": seq, "event": "grade", "grade": 1})
					if err != nil {
						return
					}
					mu.Lock()
					accepted[r.who]++
					if asked[item] {
						t.Errorf("%s was asked again for %s", r.who, item)
					}
					asked[item] = true
					mu.Unlock()
				}
			})
		}
		time.Sleep(time.Duration(20+chance.IntN(150)) * time.Millisecond)
		p.stop(syscall.SIGKILL)
		wg.Wait()
	}
	stored := map[string]int{}
	for _, l := range records[assay.Label](f, "testset/labels.jsonl")[before:] {
		stored[l.Who]++
	}
	for _, who := range []string{"ann", "ben"} {
		// What was stored when the server died before it could say so is no loss.
		if stored[who] < accepted[who] || stored[who] > accepted[who]+8 {
			t.Errorf("%s: %d answers were accepted, %d are stored", who, accepted[who], stored[who])
		}
		if accepted[who] == 0 {
			t.Errorf("%s had no answer accepted: the test shows nothing", who)
		}
	}
	t.Logf("accepted %v, stored %v", accepted, stored)
}

// An interrupt is how a session ends: what was answered counts in the next report.
func TestLabellingInterrupted(t *testing.T) {
	f := newFolder(t)
	f.run(0, "demo", ".")
	p, r := f.labelling("ann")
	g, err := r.post("next", map[string]any{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = r.post("answer", map[string]any{"item": g.Task.Item, "seq": g.Seq, "event": "grade", "grade": 3}); err != nil {
		t.Fatal(err)
	}
	p.stop(syscall.SIGINT)
	if p.code != exitOK {
		t.Errorf("ended with %d\n%s", p.code, &p.err)
	}
	if again := f.run(0, "label", "--dry-run"); !strings.Contains(fmt.Sprint(&again.out), "52 of them done by people") {
		t.Errorf("afterwards: %s", &again.out)
	}
}

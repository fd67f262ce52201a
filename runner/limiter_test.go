package runner

import (
	"testing"
	"testing/synctest"
	"time"
)

// After a failure an overloaded server is not asked for more again, however well it then does.
func TestLimiterStaysDownAfterAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(0)
		l.first()
		finish := func(n int, ok bool) {
			for range n {
				for range l.now() {
					l.begin()
				}
				time.Sleep(20 * time.Millisecond) // twice the workers, twice the throughput
				for range l.now() {
					l.end(ok)
				}
			}
		}
		finish(60, true)
		if l.now() < 4 {
			t.Fatalf("%d workers where more were always better", l.now())
		}
		before := l.now()
		l.begin()
		l.end(false)
		down := l.now()
		finish(200, true)
		if down != before/2 || l.now() != down {
			t.Errorf("from %d to %d, later %d", before, down, l.now())
		}
	})
}

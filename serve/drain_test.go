package serve

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"luzhanqi/process/processtest"
)

// At the end those who follow a game are told, the server does not wait for who does not read, and nothing of it goes on.
func TestDrainWithStreams(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	streams := 20
	nightly := os.Getenv("LUZHANQI_NIGHTLY") != ""
	if nightly {
		streams = 100
	}
	s, address, drain := served(t, func(c *Config) {
		for i := range 10 {
			c.Tables = append(c.Tables, Table{Name: fmt.Sprintf("t%d", i), Game: "jungle", Players: [2]string{"builtin:random", "builtin:random"}, Pace: Duration(time.Second), Always: true})
		}
	})
	var ids []string
	for len(ids) < 10 {
		ids = nil
		for _, h := range s.all() {
			ids = append(ids, h.ID)
		}
		runtime.Gosched()
	}
	var ended sync.WaitGroup
	var began sync.WaitGroup
	for i := range streams {
		began.Add(1)
		ended.Go(func() {
			r, err := http.Get(address + "/games/" + ids[i%len(ids)] + "/events")
			began.Done()
			if err != nil {
				t.Error(err)
				return
			}
			defer r.Body.Close()
			for lines := bufio.NewScanner(r.Body); lines.Scan(); {
			}
		})
	}
	began.Wait()
	from := time.Now()
	drain()
	ended.Wait()
	http.DefaultClient.CloseIdleConnections()
	took := time.Since(from)
	if took > 12*time.Second { // no game may go on, and 2 s are for connections; the rest is for a busy machine
		t.Errorf("it took %v to end", took)
	}
	if took > 2*time.Second && nightly && !raced {
		processtest.NeedShare(t)
		t.Errorf("it took %v to end, not 2 s", took)
	}
}

package queue

import (
	"bytes"
	"crypto/rand"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"luzhanqi/referee"
	rec "luzhanqi/referee/record"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// embedded is a queue of a server in this process.
func embedded(t *testing.T, id string) *Queue {
	t.Helper()
	c, err := Embed(t.Context(), t.TempDir(), "", "", id, func(text string) { t.Log(text) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c.Queue(id, 1)
}

// desk is a worker's desk in this process, at a gate that takes whatever is brought.
func desk(t *testing.T, q *Queue) *Desk {
	t.Helper()
	_, shut, err := q.Open(t.Context(), Gate{
		Judge: func(*Job, *store.Result) error { return nil }, Started: func(Started) {}, Warn: func(text string) { t.Log(text) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(shut)
	return q.client.Desk(q.id, 1)
}

// A record that is too long for a message takes another way, and comes to the same end.
func TestLongRecord(t *testing.T) {
	q := embedded(t, "long")
	record := make([]byte, maxMessage+1)
	rand.Read(record)
	if err := q.Offer(t.Context(), &Job{Schema: store.Schema, Place: schedule.Place{ID: "r01-p001-g1"}, Header: rec.Header{Attempt: 1}, Records: true}); err != nil {
		t.Fatal(err)
	}
	claim, err := desk(t, q).Next(t.Context(), 5*time.Second)
	if err != nil || claim == nil {
		t.Fatal(err)
	}
	sent := &store.Result{Schema: store.Schema, Place: schedule.Place{ID: "r01-p001-g1"}, Attempt: 1, Ending: &referee.Ending{Code: referee.Drawn}, Record: record}
	for range 2 { // the second time it is there already
		if err := claim.Bring(t.Context(), sent); err != nil {
			t.Fatal(err)
		}
	}
	results, err := q.Results(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	batch, err := results.Next(t.Context(), 10, time.Second, func(err error) { t.Error(err) })
	if err != nil || len(batch.Results) != 1 {
		t.Fatalf("%d messages, %v", len(batch.Results), err)
	}
	got := batch.Results[0]
	if !got.Stored || !bytes.Equal(got.Record, record) {
		t.Errorf("stored apart: %t; the record has %d bytes", got.Stored, len(got.Record))
	}
	batch.Ack(t.Context())
	if _, err := q.record(t.Context(), got); err == nil {
		t.Error("the record is still there")
	}
	if err := q.Remove(t.Context()); err != nil {
		t.Error(err)
	}
	names := q.client.js.StreamNames(t.Context())
	for name := range names.Name() {
		t.Errorf("left: %s", name)
	}
}

// A plan without records keeps none, and workers bring them all the same.
func TestRecordThatIsNotWanted(t *testing.T) {
	q := embedded(t, "unwanted")
	if err := q.Offer(t.Context(), &Job{Schema: store.Schema, Place: schedule.Place{ID: "r01-p001-g1"}, Header: rec.Header{Attempt: 1}}); err != nil {
		t.Fatal(err)
	}
	claim, err := desk(t, q).Next(t.Context(), 5*time.Second)
	if err != nil || claim == nil {
		t.Fatal(err)
	}
	if err := claim.Bring(t.Context(), &store.Result{
		Schema: store.Schema, Place: claim.Job.Place, Attempt: 1, Ending: &referee.Ending{Code: referee.Drawn}, Record: []byte("record"),
	}); err != nil {
		t.Fatal(err)
	}
	results, err := q.Results(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	batch, err := results.Next(t.Context(), 10, time.Second, func(err error) { t.Error(err) })
	if err != nil || len(batch.Results) != 1 || len(batch.Results[0].Record) > 0 {
		t.Errorf("%d results, %v", len(batch.Results), err)
	}
}

// A job that is given back is not one whose worker has vanished, however often that happens.
func TestReturnedJobsDoNotCountAsDeliveries(t *testing.T) {
	q := embedded(t, "returned")
	if err := q.Offer(t.Context(), &Job{Schema: store.Schema, Place: schedule.Place{ID: "r01-p001-g1"}}); err != nil {
		t.Fatal(err)
	}
	desk := desk(t, q)
	for range 45 {
		taken, err := desk.Next(t.Context(), 5*time.Second)
		if err != nil || taken == nil || taken.Deliveries != 1 {
			t.Fatalf("%+v, %v", taken, err)
		}
		taken.Return()
	}
}

// A queue that listens everywhere is told by a name that other machines can use.
func TestAddressOfAnOpenQueue(t *testing.T) {
	_, port, err := net.SplitHostPort(freeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Skip(err)
	}
	for listen, want := range map[string]string{"0.0.0.0:" + port: host, "127.0.0.1:" + port: "127.0.0.1"} {
		c, err := Embed(t.Context(), t.TempDir(), listen, "secret", "open", func(text string) { t.Log(text) })
		if err != nil {
			t.Fatal(err)
		}
		if found := c.Address(); found != "nats://"+net.JoinHostPort(want, port) {
			t.Errorf("%s: found %s", listen, found)
		}
		c.Close()
	}
}

func TestTokensAreHidden(t *testing.T) {
	for url, want := range map[string]string{
		"nats://a@h:1,nats://b:c@i:2": "nats://h:1,nats://i:2", "secret@h": "nats://h", "nats://a@b@h:1": "nats://h:1", "nats://h:1": "nats://h:1",
	} {
		if got := WithoutToken(url); got != want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
	if _, err := Dial("nats://se cret@h:1", "", "test", func(string) {}); err == nil || strings.Contains(err.Error(), "cret") {
		t.Errorf("%v", err)
	}
}

func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

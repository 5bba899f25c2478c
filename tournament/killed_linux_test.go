package tournament

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/store"

	"github.com/nats-io/nats-server/v2/server"
)

// kills is how often a process is killed by SIGKILL in one tournament: fifty times each night.
func kills() int {
	if os.Getenv("LUZHANQI_NIGHTLY") != "" {
		return 50
	}
	return 12
}

// encounterGames are those of each encounter: enough for that many kills, also where whoever kills is slow.
func encounterGames() int { return 6 * kills() / 5 }

// killSeed is the seed of the kills: that of LUZHANQI_KILL_SEED, or one that is told so that it can be used again.
func killSeed(t *testing.T) uint64 {
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("LUZHANQI_KILL_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("to repeat the kills: LUZHANQI_KILL_SEED=%d", seed)
	return seed
}

// A victim is a process that is started again whenever it was killed.
type victim struct {
	t       *testing.T
	role    string
	env     []string // besides
	options Options
	mu      sync.Mutex
	running *exec.Cmd
	used    time.Duration // processor time of those that have ended
	done    chan struct{} // closed when it has ended by itself without an error
	ended   sync.WaitGroup
	closing bool
}

func (v *victim) live() {
	v.done = make(chan struct{})
	v.ended.Go(func() {
		for {
			text, _ := json.Marshal(v.options)
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), roleVariable+"="+v.role, optionVariable+"="+string(text), gamesVariable+"="+strconv.Itoa(encounterGames()))
			cmd.Env = append(cmd.Env, v.env...)
			log, err := os.CreateTemp(v.t.TempDir(), v.role)
			if err != nil {
				v.t.Error(err)
				return
			}
			cmd.Stderr = log
			v.mu.Lock()
			if v.closing {
				v.mu.Unlock()
				return
			}
			if err := cmd.Start(); err != nil {
				v.t.Error(err)
			}
			v.running = cmd
			v.mu.Unlock()
			err = cmd.Wait()
			log.Close()
			v.mu.Lock()
			v.used += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			v.running = nil
			v.mu.Unlock()
			if err == nil {
				close(v.done)
				return
			}
			if state, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !state.Signaled() {
				said, _ := os.ReadFile(log.Name())
				v.t.Errorf("%s ended by itself: %v\n%s", v.role, err, said)
				return
			}
		}
	})
}

func (v *victim) kill() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.running != nil && v.running.Process != nil {
		v.running.Process.Kill()
	}
}

// pid is that of the process; 0: there is none at this moment.
func (v *victim) pid() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.running == nil || v.running.Process == nil {
		return 0
	}
	return v.running.Process.Pid
}

// cpu is the processor time that the process has taken up to now, and those before it.
func (v *victim) cpu() time.Duration {
	pid := v.pid()
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.used + cpuOf(pid)
}

func (v *victim) end() {
	v.mu.Lock()
	v.closing = true
	v.mu.Unlock()
	v.kill()
	v.ended.Wait()
}

// surviveKills runs the tournament while its processes are killed, and compares what comes of it with one
// that nobody disturbed.
func surviveKills(t *testing.T, o Options, workerURL string) {
	undisturbed := filepath.Join(t.TempDir(), "undisturbed")
	whole := options(t, undisturbed)
	tour := killed(encounterGames())
	if _, err := Run(t.Context(), tour, whole); err != nil {
		t.Fatal(err)
	}
	o.Dir, o.Concurrency, o.Pin = filepath.Join(t.TempDir(), "disturbed"), 1, "off"
	coordinator := &victim{t: t, role: "run", options: o}
	victims := []*victim{coordinator}
	for range 2 {
		victims = append(victims, &victim{t: t, role: "worker", options: Options{Queue: plan.Queue{URL: workerURL}, Concurrency: 1}})
	}
	for _, v := range victims {
		v.live()
		defer v.end()
	}
	r := rand.New(rand.NewPCG(killSeed(t), 0))
	killed := map[string]int{}
	total, last, kills := 0, 0, kills()
	for over := false; !over; {
		if total >= kills {
			select {
			case <-coordinator.done:
				over = true
			case <-time.After(time.Second):
			}
		} else {
			last = awaitProgress(t, o.Dir, last)
			time.Sleep(time.Duration(r.IntN(60)) * time.Millisecond)
			v := victims[r.IntN(len(victims))]
			v.kill()
			killed[v.role]++
			total++
			select {
			case <-coordinator.done:
				over = true
			default:
			}
		}
		if t.Failed() {
			return
		}
	}
	if total < kills {
		t.Errorf("only %d of %d processes were killed before the tournament was over: it is too short", total, kills)
	}
	t.Logf("killed: %v", killed)
	if a, b := scores(t, undisturbed), scores(t, o.Dir); a != b {
		t.Errorf("undisturbed\n%s\nkilled %d times\n%s", a, total, b)
	}
	if a, b := tableOf(t, undisturbed), tableOf(t, o.Dir); a != b {
		t.Errorf("undisturbed\n%s\nkilled %d times\n%s", a, total, b)
	}
}

// awaitProgress waits until more games have a result than there were, but not for ever: kills come while games
// are played, on a machine of any speed.
func awaitProgress(t *testing.T, dir string, before int) int {
	t.Helper()
	for range 100 {
		time.Sleep(20 * time.Millisecond)
		s, err := store.Open(t.Context(), dir)
		if err != nil {
			continue // it was not made yet
		}
		finished, _, err := s.Count(t.Context())
		s.Close()
		if err == nil && finished > before {
			return finished
		}
	}
	return before
}

// tableOf is the standings of the tournament in a store, byte by byte.
func tableOf(t *testing.T, dir string) string {
	t.Helper()
	s, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	table, err := killed(encounterGames()).Standings(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(table)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestKilled(t *testing.T) {
	if testing.Short() || raced {
		t.Skip("takes long, and much longer with the race detector")
	}
	t.Parallel()
	listen := freeAddress(t)
	surviveKills(t, Options{Queue: plan.Queue{Listen: listen, Token: "secret"}}, "nats://secret@"+listen)
}

func TestKilledOverACluster(t *testing.T) {
	if testing.Short() || raced {
		t.Skip("takes long, and much longer with the race detector")
	}
	t.Parallel()
	c := newCluster(t)
	surviveKills(t, Options{Queue: plan.Queue{URL: c.url(), Replicas: 3}}, c.url())
}

// cluster is three servers on this machine.
type cluster struct {
	t       *testing.T
	options [3]*server.Options
	servers [3]*server.Server
}

func newCluster(t *testing.T) *cluster {
	c := &cluster{t: t}
	var routes []*url.URL
	var ports [3]int
	for i := range ports {
		_, port, _ := net.SplitHostPort(freeAddress(t))
		ports[i], _ = strconv.Atoi(port)
		routes = append(routes, &url.URL{Scheme: "nats", Host: net.JoinHostPort("127.0.0.1", port)})
	}
	for i := range c.options {
		_, port, _ := net.SplitHostPort(freeAddress(t))
		client, _ := strconv.Atoi(port)
		c.options[i] = &server.Options{
			ServerName: fmt.Sprintf("s%d", i), Host: "127.0.0.1", Port: client, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
			Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: ports[i]}, Routes: routes,
		}
	}
	c.start()
	t.Cleanup(c.stop)
	return c
}

func (c *cluster) url() string {
	return fmt.Sprintf("nats://127.0.0.1:%d,nats://127.0.0.1:%d,nats://127.0.0.1:%d", c.options[0].Port, c.options[1].Port, c.options[2].Port)
}

func (c *cluster) start() {
	for i, o := range c.options {
		copied := *o
		s, err := server.NewServer(&copied)
		if err != nil {
			c.t.Fatal(err)
		}
		s.Start()
		c.servers[i] = s
	}
	for _, s := range c.servers {
		if !s.ReadyForConnections(10 * time.Second) {
			c.t.Fatal("a server is not ready")
		}
	}
}

func (c *cluster) stop() {
	for _, s := range c.servers {
		s.Shutdown()
	}
	for _, s := range c.servers {
		s.WaitForShutdown()
	}
}

// A cluster that goes away in the middle of a tournament and comes back.
func TestClusterGoesAwayAndComesBack(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	tour := killed(12)
	o := options(t, filepath.Join(t.TempDir(), "store"))
	o.URL, o.Replicas = c.url(), 3
	away, back := make(chan struct{}), make(chan struct{})
	o.Events = func(e Event) {
		if e.Kind == EventResult && e.Progress.Finished == 20 {
			close(away)
		}
	}
	go func() {
		defer close(back)
		select {
		case <-away:
			c.stop()
			time.Sleep(2 * time.Second)
			c.start()
		case <-t.Context().Done():
		}
	}()
	progress, err := Run(t.Context(), tour, o)
	<-back
	if err != nil || progress.Finished != progress.MinGames {
		t.Fatalf("%+v, %v", progress, err)
	}
	scores(t, o.Dir)
}

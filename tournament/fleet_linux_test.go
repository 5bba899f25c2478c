package tournament

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/queue"
	"luzhanqi/tournament/store"
)

// fleetVariable is how many games the fleet plays: make fleet GAMES=20000.
const fleetVariable = "LUZHANQI_FLEET"

// fleetStoreVariable is a folder in which the results stay, so that many games can be played in pieces: the next piece, with a larger
// number of games, goes on from there. Without it the results are thrown away.
const fleetStoreVariable = "LUZHANQI_FLEET_STORE"

// fleetSize is how many games and worker processes there are: a hundred workers, and a tenth of that in the night.
func fleetSize(t *testing.T) (games, workers int) {
	if text := os.Getenv(fleetVariable); text != "" {
		games, err := strconv.Atoi(text)
		if err != nil || games < 100 || games%2 != 0 {
			t.Fatalf("%s=%s: allowed are even numbers from 100", fleetVariable, text)
		}
		return games, 100
	}
	if os.Getenv("LUZHANQI_NIGHTLY") == "" || raced {
		t.Skip("plays thousands of games: make fleet, or make nightly")
	}
	return 3000, 10
}

// fleetPlan is a match of instant games over a cluster.
func fleetPlan(urls string, games int) string {
	return fmt.Sprintf(`game = "chess1d"
format = "match"
games = %d
seed = 77
concurrency = 0
record_space = "16MiB"
[queue]
url = %q
replicas = 3
[[player]]
name = "a"
level = "random"
[[player]]
name = "b"
level = "random"
`, games, urls)
}

// fleetServers are three servers of a cluster, each a process of its own that can be measured and killed.
type fleetServers struct {
	victims [3]*victim
	options [3]serverOptions
	seen    [3]traffic // when it was last asked
	traffic traffic    // of all
}

// traffic is messages and bytes that came to servers from clients and went to them.
type traffic struct {
	InMsgs  int64 `json:"in_msgs"`
	OutMsgs int64 `json:"out_msgs"`
	InBytes int64 `json:"in_bytes"`
}

func freePort(t *testing.T) int {
	_, port, _ := net.SplitHostPort(freeAddress(t))
	n, _ := strconv.Atoi(port)
	return n
}

func newFleetServers(t *testing.T) *fleetServers {
	f := &fleetServers{}
	var routes []string
	for i := range f.options {
		f.options[i] = serverOptions{Name: fmt.Sprintf("s%d", i), Port: freePort(t), Monitor: freePort(t), Cluster: freePort(t), Dir: t.TempDir()}
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", f.options[i].Cluster))
	}
	for i := range f.options {
		f.options[i].Routes = routes
		text, _ := json.Marshal(f.options[i])
		f.victims[i] = &victim{t: t, role: "server", env: []string{serverVariable + "=" + string(text)}}
		f.victims[i].live()
	}
	return f
}

func (f *fleetServers) urls() string {
	var all []string
	for _, o := range f.options {
		all = append(all, fmt.Sprintf("nats://127.0.0.1:%d", o.Port))
	}
	return strings.Join(all, ",")
}

// ask adds what has come and gone since it was last asked; a server that was killed begins again at zero.
func (f *fleetServers) ask() {
	for i, o := range f.options {
		answer, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/varz", o.Monitor))
		if err != nil {
			continue
		}
		var now traffic
		err = json.NewDecoder(answer.Body).Decode(&now)
		answer.Body.Close()
		if err != nil {
			continue
		}
		if now.InMsgs < f.seen[i].InMsgs {
			f.seen[i] = traffic{}
		}
		f.traffic.InMsgs += now.InMsgs - f.seen[i].InMsgs
		f.traffic.OutMsgs += now.OutMsgs - f.seen[i].OutMsgs
		f.traffic.InBytes += now.InBytes - f.seen[i].InBytes
		f.seen[i] = now
	}
}

// sizeOf is what the files in a folder take.
func sizeOf(dir string) (bytes int64) {
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}

// memoryOf is what a process has in memory, in bytes; 0: it is gone.
func memoryOf(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kib, _ := strconv.ParseInt(fields[0], 10, 64)
	return kib << 10
}

// cpuOf is the processor time that a process has taken.
func cpuOf(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	const tick = 10 * time.Millisecond // USER_HZ is 100 wherever Go runs
	return time.Duration(user+system) * tick
}

// fleet is a coordinator, servers and workers, all of them processes of their own.
type fleet struct {
	t           *testing.T
	servers     *fleetServers
	coordinator *victim
	workers     []*victim
	dir         string // of the results
}

// newFleet starts them; results go into dir, or if it is empty into a folder that is thrown away.
func newFleet(t *testing.T, workers int, dir string, planText func(urls string) string) *fleet {
	if dir == "" {
		dir = filepath.Join(t.TempDir(), "store")
	}
	f := &fleet{t: t, servers: newFleetServers(t), dir: dir}
	file := filepath.Join(t.TempDir(), "plan.toml")
	if err := os.WriteFile(file, []byte(planText(f.servers.urls())), 0o600); err != nil {
		t.Fatal(err)
	}
	f.coordinator = &victim{t: t, role: "plan", options: Options{PlanFile: file, Dir: f.dir}}
	f.coordinator.live()
	for range workers {
		w := &victim{t: t, role: "worker", options: Options{Queue: plan.Queue{URL: f.servers.urls()}, Concurrency: 1, UntilDone: true}}
		w.live()
		f.workers = append(f.workers, w)
	}
	t.Cleanup(f.end)
	return f
}

func (f *fleet) end() {
	f.coordinator.end()
	for _, w := range f.workers {
		w.end()
	}
	for _, s := range f.servers.victims {
		s.end()
	}
}

// finished is how many games have a result.
func (f *fleet) finished() int {
	s, err := store.Open(f.t.Context(), f.dir)
	if err != nil {
		return 0 // it was not made yet
	}
	defer s.Close()
	n, _, err := s.Count(f.t.Context())
	if err != nil {
		return 0
	}
	return n
}

// A hundred workers over three servers, of which one is killed each second; so are, at times in the first half, the coordinator and a server.
// No game is lost or counted twice, each ends as in a run that nobody disturbs, the coordinator's memory stays as it is, the disk
// is bounded, and in the end all workers leave. What it costs is logged, for docs/fleet.md.
func TestFleet(t *testing.T) {
	games, workers := fleetSize(t)
	f := newFleet(t, workers, os.Getenv(fleetStoreVariable), func(urls string) string { return fleetPlan(urls, games) })
	before := f.finished()
	if before >= games {
		t.Fatalf("%s has %d games already, and %s asks for %d: allowed are more", f.dir, before, fleetVariable, games)
	}
	games -= before // that are played now
	r := rand.New(rand.NewPCG(killSeed(t), 0))
	kill, look := time.NewTicker(time.Second), time.NewTicker(10*time.Second)
	defer kill.Stop()
	defer look.Stop()
	began := time.Now()
	killed, memory := map[string]int{}, []int64{}
	t.Logf("%8s %8s %9s %10s %10s %10s %9s", "s", "games", "RSS, MiB", "store, MiB", "queue, MiB", "messages", "CPU, s")
	done := 0
	for over := false; !over; {
		select {
		case <-f.coordinator.done:
			over = true
		case <-kill.C:
			if done > games-games/10 {
				continue // who comes too late waits for minutes
			}
			f.workers[r.IntN(len(f.workers))].kill()
			killed["worker"]++
			switch first := done > 0 && done < games/2; {
			case first && r.IntN(60) == 0:
				f.coordinator.kill()
				killed["coordinator"]++
			case first && killed["server"] == 0 && done > games/10:
				f.servers.victims[r.IntN(3)].kill()
				killed["server"]++
			}
		case <-look.C:
			f.servers.ask()
			done = f.finished() - before
			rss, waiting := memoryOf(f.coordinator.pid()), int64(0)
			for _, o := range f.servers.options {
				waiting += sizeOf(o.Dir)
			}
			if done > games/2 {
				memory = append(memory, rss)
			}
			t.Logf("%8.0f %8d %9.1f %10.1f %10.1f %10d %9.1f", time.Since(began).Seconds(), done, mib(rss), mib(sizeOf(f.dir)), mib(waiting), f.servers.traffic.InMsgs+f.servers.traffic.OutMsgs, f.coordinator.cpu().Seconds())
		}
		if t.Failed() {
			return
		}
	}
	took := time.Since(began)
	f.servers.ask()
	leaving := time.Now()
	for _, w := range f.workers {
		select {
		case <-w.done:
		case <-time.After(unfound + 30*time.Second):
			t.Fatal("a worker that was told --until-done stays")
		}
	}
	t.Logf("all workers have left %v after the end", time.Since(leaving).Round(time.Second))
	var servers, playing time.Duration
	for _, s := range f.servers.victims {
		servers += s.cpu()
	}
	for _, w := range f.workers {
		playing += w.cpu()
	}
	per := func(d time.Duration) time.Duration { return (d / time.Duration(games)).Round(time.Microsecond) }
	t.Logf("%d games after %d, in %v, %.0f a second; killed: %v", games, before, took.Round(time.Second), float64(games)/took.Seconds(), killed)
	t.Logf("processor time a game: coordinator %v, three servers %v, workers with their starts %v", per(f.coordinator.cpu()), per(servers), per(playing))
	t.Logf("messages a game: %.1f to servers, %.1f from them, %.1f KiB to them", float64(f.servers.traffic.InMsgs)/float64(games),
		float64(f.servers.traffic.OutMsgs)/float64(games), float64(f.servers.traffic.InBytes)/1024/float64(games))
	f.whole(before + games)
	if size, most := sizeOf(f.dir), int64(before+games)*3<<10+24<<20; size > most {
		t.Errorf("the results take %d bytes, more than %d: a record space of 16 MiB, some 2 KiB for each result, and the log of the database", size, most)
	}
	if n := len(memory); n >= 4 {
		first, last := median(memory[:n/2]), median(memory[n/2:])
		t.Logf("the coordinator has %.1f MiB in the third quarter, %.1f in the last", mib(first), mib(last))
		if last > first+first/4+16<<20 {
			t.Errorf("the coordinator's memory grows: %v", memory)
		}
	}
}

func mib(bytes int64) float64 { return float64(bytes) / (1 << 20) }

func median(all []int64) int64 {
	sorted := append([]int64(nil), all...)
	for i := range sorted {
		for j := i; j > 0 && sorted[j] < sorted[j-1]; j-- {
			sorted[j], sorted[j-1] = sorted[j-1], sorted[j]
		}
	}
	return sorted[len(sorted)/2]
}

// whole says what is missing or wrong among the results of the fleet.
func (f *fleet) whole(games int) {
	t := f.t
	load := func(games int, file string) *Tournament {
		p, err := plan.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		tour, _, err := FromPlan(p, "test")
		if err != nil {
			t.Fatal(err)
		}
		return tour
	}
	tour := load(games, f.coordinator.options.PlanFile)
	s, err := tour.Open(t.Context(), f.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	finished, voids, err := s.Count(t.Context())
	if err != nil || finished != games || voids != 0 {
		t.Errorf("%d of %d games, %d void, %v", finished, games, voids, err)
	}
	small := min(games, 600)
	file := filepath.Join(t.TempDir(), "small.toml")
	if err := os.WriteFile(file, []byte(fleetPlan("nats://127.0.0.1:1", small)), 0o600); err != nil {
		t.Fatal(err)
	}
	quiet := load(small, file)
	dir := filepath.Join(t.TempDir(), "quiet")
	if _, err := Run(t.Context(), quiet, options(t, dir)); err != nil {
		t.Fatal(err)
	}
	undisturbed, err := quiet.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer undisturbed.Close()
	missing, compared := 0, 0
	for g := range tour.Schedule.Games(nil) {
		r, err := s.Result(t.Context(), g.ID)
		if err != nil {
			t.Fatal(err)
		}
		if r == nil || r.Place != g.Place {
			missing++
			continue
		}
		if compared >= small {
			continue
		}
		compared++
		want, err := undisturbed.Result(t.Context(), g.ID)
		if err != nil || want == nil || want.Outcome() != r.Outcome() || want.Course != r.Course {
			t.Errorf("game %s went otherwise than undisturbed: %+v, %+v, %v", g.ID, r, want, err)
		}
	}
	if missing > 0 {
		t.Errorf("%d games of the schedule are not there", missing)
	}
}

// A fleet without games costs next to nothing: two workers play a game that hardly moves, all others wait.
func TestIdleFleet(t *testing.T) {
	if os.Getenv(fleetVariable) == "" {
		t.Skip("takes two minutes: make fleet")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	f := newFleet(t, 100, "", func(urls string) string {
		return fmt.Sprintf("game = \"jungle\"\nformat = \"match\"\ngames = 2\nconcurrency = 0\n[limits]\nfirst = \"10m\"\n[queue]\nurl = %q\nreplicas = 3\n", urls) +
			fmt.Sprintf("[[player]]\nname = \"slow\"\ncommand = [%q]\nenv = { %s = \"player\", %s = \"10m\" }\n[[player]]\nname = \"b\"\nlevel = \"random\"\n", self, roleVariable, napVariable)
	})
	time.Sleep(90 * time.Second) // all have begun, and ask seldom
	before := f.costs()
	const watched = time.Minute
	time.Sleep(watched)
	after := f.costs()
	for i, who := range []string{"the coordinator", "three servers", "100 workers"} {
		t.Logf("%s: %v of processor time in %v", who, after[i]-before[i], watched)
	}
	if cost := after[0] - before[0]; cost > watched/100 {
		t.Errorf("the coordinator of an idle fleet takes %v in %v", cost, watched)
	}
}

// Long games cost signs of life: a thousand are held for half a minute, and none is given to another.
func TestHeldGames(t *testing.T) {
	if os.Getenv(fleetVariable) == "" {
		t.Skip("takes a minute: make fleet")
	}
	const games = 1000
	f := newFleet(t, 0, "", func(urls string) string { return fleetPlan(urls, games) })
	client, err := queue.Dial(f.servers.urls(), "", "holder", func(s string) { t.Log(s) })
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	var ids []string
	for len(ids) == 0 {
		ids, _ = client.Tournaments(t.Context())
		time.Sleep(100 * time.Millisecond)
	}
	for i := range games {
		claim, err := client.Desk(ids[0], i+1).Next(t.Context(), 10*time.Second)
		if err != nil || claim == nil {
			t.Fatalf("game %d: %v", i+1, err)
		}
		defer claim.Keep()()
	}
	before := f.costs()
	const watched = 30 * time.Second
	time.Sleep(watched)
	after := f.costs()
	for i, who := range []string{"the coordinator", "three servers"} {
		t.Logf("%s: %v of processor time in %v for %d games that are held", who, after[i]-before[i], watched, games)
	}
	if claim, err := client.Desk(ids[0], games+1).Next(t.Context(), time.Second); err != nil || claim != nil {
		t.Errorf("a game that is held was given to another: %+v, %v", claim, err)
	}
}

// costs is the processor time of the coordinator, the servers, and the workers.
func (f *fleet) costs() (all [3]time.Duration) {
	all[0] = f.coordinator.cpu()
	for _, s := range f.servers.victims {
		all[1] += s.cpu()
	}
	for _, w := range f.workers {
		all[2] += w.cpu()
	}
	return all
}

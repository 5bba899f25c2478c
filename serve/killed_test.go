package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"luzhanqi/tournament"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/store"
)

// What this binary can be besides the test.
const (
	serveWord  = "serve-a-configuration"
	playWord   = "play-a-tournament"
	watchWord  = "watch-a-game"
	playerWord = "play-a-seat"
	siegeWord  = "besiege-a-server"
)

// beSomethingElse is called by TestMain.
func beSomethingElse() {
	if len(os.Args) != 3 {
		return
	}
	var err error
	switch os.Args[1] {
	default:
		return
	case serveWord:
		var c Config
		var s *Server
		if c, err = Load(os.Args[2]); err == nil {
			s, err = New(c, "test", zerolog.New(os.Stderr).Level(zerolog.ErrorLevel))
		}
		if err == nil {
			ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
			defer stop()
			err = s.Run(ctx, func(address string) { fmt.Println(address) })
		}
	case watchWord:
		err = watchGame(os.Args[2])
	case siegeWord:
		err = besiege(os.Args[2])
	case playerWord:
		err = playSeat(os.Args[2])
	case playWord:
		var read *plan.Plan
		var t *tournament.Tournament
		var o tournament.Options
		if read, err = plan.Load(os.Args[2]); err == nil {
			t, o, err = tournament.FromPlan(read, "test")
		}
		if err == nil {
			o.Dir, o.Concurrency, o.Warn = strings.TrimSuffix(os.Args[2], ".toml")+".tournament", 1, func(text string) { fmt.Fprintln(os.Stderr, text) }
			_, err = tournament.Run(context.Background(), t, o)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// A server that is killed while it grades, and while another process plays a tournament that it shows, has lost nothing when it
// starts again; nor has the tournament, whichever of the two is killed.
func TestKilledServer(t *testing.T) {
	_, _, token := class(t, courseFile(t), nil) // is skipped where nothing can be sealed in
	file := courseFile(t)
	folder := filepath.Dir(file)
	cupFile, config := filepath.Join(folder, "cup.toml"), filepath.Join(folder, "serve.toml")
	slow := strings.Replace(autumn, "run =", "build = [\"sh\", \"-c\", \"sleep $(cat PAUSE)\"]\nrun =", 1)
	for path, text := range map[string]string{
		file: slow, cupFile: cup,
		config: fmt.Sprintf("listen = \"127.0.0.1:0\"\n[[tournament]]\nname = \"cup\"\nplan = %q\n[[course]]\nname = \"autumn\"\nfile = %q\nuploads = true\nevery = \"1ms\"\n"+
			"[[token]]\nname = \"ada\"\nrole = \"watch\"\ncourse = \"autumn\"\nstudent = \"ada\"\nsha256 = %q\n", cupFile, file, hashOf(token["ada"])),
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	start := func(word, file string) (*exec.Cmd, string) { return apart(t, word, file) }
	kill := func(c *exec.Cmd) {
		t.Helper()
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		c.Wait()
	}
	type standing struct {
		Finished    int
		Complete    bool
		Submissions []struct {
			Name, State string
			Score       float64
		}
	}
	// until looks again until something holds.
	until := func(address, path string, holds func(standing) bool) (now standing) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			code, text := asks(t, token["ada"], "GET", address+apiPath+path, nil)
			_, body, _ := strings.Cut(text, "{") // behind the header
			now = standing{}
			if err := json.Unmarshal([]byte("{"+body), &now); err != nil || code != 200 {
				t.Fatalf("%d %v %.500s", code, err, text)
			}
			if holds(now) {
				return now
			}
		}
		t.Fatalf("%s remains %+v", path, now)
		return now
	}
	hand := func(address string, archive []byte) {
		t.Helper()
		if code, text := asks(t, token["ada"], "POST", address+apiPath+"/courses/autumn/submissions?file=bot.zip", archive); code != 201 {
			t.Fatalf("%d %s", code, text)
		}
	}
	server, address := start(serveWord, config)
	hand(address, archived(t, "bot.sh", "exit 3\n", "PAUSE", "1"))
	cupRun, _ := start(playWord, cupFile)
	until(address, "/courses/autumn", func(s standing) bool { return s.Submissions[0].State == "grading" })
	until(address, "/tournaments/cup", func(s standing) bool { return s.Finished > 0 })
	kill(server)
	server, address = start(serveWord, config)
	hand(address, archived(t, "bot.sh", "exit 3\n", "PAUSE", "0"))
	before := until(address, "/tournaments/cup", func(s standing) bool { return s.Finished > 0 })
	kill(cupRun)
	stored := func() map[string]string {
		t.Helper()
		s, err := store.Open(t.Context(), strings.TrimSuffix(cupFile, ".toml")+".tournament")
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		all := map[string]string{}
		err = s.Results(t.Context(), false, func(r *store.Result) error {
			text, err := json.Marshal(r)
			all[r.ID] = string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	were := stored()
	cupRun, _ = start(playWord, cupFile)
	until(address, "/courses/autumn", func(s standing) bool {
		graded := 0
		for _, one := range s.Submissions {
			if one.State == "graded" && one.Score == 10 {
				graded++
			}
		}
		return graded == 2
	})
	kill(server)
	server, address = start(serveWord, config)
	if end := until(address, "/tournaments/cup", func(s standing) bool { return s.Complete }); end.Finished != 12 || before.Finished > 12 {
		t.Errorf("%+v, before %+v", end, before)
	}
	if err := cupRun.Wait(); err != nil {
		t.Error(err)
	}
	are := stored()
	for id, text := range were {
		if are[id] != text {
			t.Errorf("the result of %s was %s, and is %s", id, text, are[id])
		}
	}
	if len(were) == 0 || len(are) != 12 {
		t.Errorf("there were %d results, and are %d", len(were), len(are))
	}
	if end := until(address, "/courses/autumn", func(s standing) bool { return true }); len(end.Submissions) != 2 || end.Submissions[0].State != "graded" || end.Submissions[1].State != "graded" {
		t.Errorf("%+v", end)
	}
	// Asked to end, it does so in the middle of a build, which the next one begins again.
	hand(address, archived(t, "bot.sh", "exit 3\n", "PAUSE", "100"))
	until(address, "/courses/autumn", func(s standing) bool { return s.Submissions[0].State == "grading" })
	began := time.Now()
	if err := server.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := server.Wait(); err != nil || time.Since(began) > 30*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	server, address = start(serveWord, config)
	until(address, "/courses/autumn", func(s standing) bool { return s.Submissions[0].State == "grading" })
	kill(server)
}

package tournament

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player"
	builtin "luzhanqi/player/levels"
	"luzhanqi/process"
	"luzhanqi/referee"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/schedule"
)

// The test binary plays further roles, so that they can be killed: it runs a tournament, or that of a plan, is a
// worker, a server of the queue, and a program that plays.
const (
	roleVariable   = "LUZHANQI_TEST_ROLE"
	optionVariable = "LUZHANQI_TEST_OPTIONS"
	napVariable    = "LUZHANQI_TEST_NAP" // of a player before its first move
	serverVariable = "LUZHANQI_TEST_SERVER"
	gamesVariable  = "LUZHANQI_TEST_GAMES" // of each encounter
)

func TestMain(m *testing.M) {
	process.Reexec()
	process.AdoptOrphans()
	warn := func(s string) { fmt.Fprintln(os.Stderr, s) }
	var o Options
	json.Unmarshal([]byte(os.Getenv(optionVariable)), &o)
	var err error
	switch os.Getenv(roleVariable) {
	case "":
		goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("luzhanqi/process.(*thread).run.func1.1"))
		return
	case "run":
		o.Warn = warn
		games, _ := strconv.Atoi(os.Getenv(gamesVariable))
		_, err = Run(context.Background(), killed(games), o)
	case "worker":
		_, err = Work(context.Background(), Options{Queue: plan.Queue{URL: o.URL}, Concurrency: o.Concurrency, Pin: plan.PinOff, UntilDone: o.UntilDone, Warn: warn}, "test")
	case "plan":
		o.Warn = warn
		err = runPlan(o)
	case "server":
		var s serverOptions
		json.Unmarshal([]byte(os.Getenv(serverVariable)), &s)
		err = s.serve()
	case "player":
		nap, _ := time.ParseDuration(os.Getenv(napVariable))
		time.Sleep(nap)
		g := find("jungle")
		level, _ := builtin.Find(g, "greedy")
		end := g.Protocols()[0].PlayerEnd(nil, game.First, 0)
		err = player.Serve(os.Stdin, os.Stdout, end, level.New(g, player.Options{}), rand.New(rand.NewPCG(1, 2)), zerolog.Nop())
	}
	if err != nil {
		warn(err.Error())
		os.Exit(1)
	}
	os.Exit(0)
}

func find(name string) game.Game {
	g, err := games.Find(name)
	if err != nil {
		panic(err)
	}
	return g
}

// killed is the tournament whose processes are killed: a round robin of three players of ours and a
// program, whose moves depend on nothing but seeds.
func killed(games int) *Tournament {
	g := find("jungle")
	s, err := schedule.New(schedule.Spec{Format: schedule.RoundRobin, Players: 4, Games: games, Cycles: 1, Seed: 77})
	if err != nil {
		panic(err)
	}
	t := &Tournament{
		Plan:     &plan.Plan{Conditions: referee.Conditions{Game: g, Limits: g.Limits()}, Records: true, Concurrency: 1},
		Schedule: s, Version: "test", Text: "killed", Fingerprint: "killed",
	}
	t.Rules, _ = game.ParseRules("", g.Options())
	t.Limits.Move, t.Limits.First = time.Minute, time.Minute
	for _, name := range []string{"greedy", "easy", "strong"} {
		level, err := builtin.Find(g, name)
		if err != nil {
			panic(err)
		}
		e := referee.Entrant{Name: name, Level: &level}
		if name == "strong" { // some tenths of a second a game, under the race detector, too
			e.Options.Nodes = 2000
		}
		t.Players = append(t.Players, plan.Player{Entrant: e})
	}
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	t.Players = append(t.Players, plan.Player{Entrant: referee.Entrant{
		Name: "program", Protocol: g.Protocols()[0], Command: process.Command{Args: []string{self}, Env: []string{roleVariable + "=player"}},
	}})
	return t
}

// runPlan is the role plan.
func runPlan(o Options) error {
	p, err := plan.Load(o.PlanFile)
	if err != nil {
		return err
	}
	tour, planned, err := FromPlan(p, "test")
	if err != nil {
		return err
	}
	planned.Dir, planned.Warn = o.Dir, o.Warn
	progress, err := Run(context.Background(), tour, planned)
	if err == nil && progress.Finished != progress.MinGames {
		err = fmt.Errorf("%d of %d games are finished", progress.Finished, progress.MinGames)
	}
	return err
}

// serverOptions are those of the role server.
type serverOptions struct {
	Name                   string
	Port, Monitor, Cluster int
	Routes                 []string
	Dir                    string
}

// serve is the role server.
func (o serverOptions) serve() error {
	var routes []*url.URL
	for _, text := range o.Routes {
		u, err := url.Parse(text)
		if err != nil {
			return err
		}
		routes = append(routes, u)
	}
	s, err := server.NewServer(&server.Options{
		ServerName: o.Name, Host: "127.0.0.1", Port: o.Port, HTTPHost: "127.0.0.1", HTTPPort: o.Monitor, JetStream: true, StoreDir: o.Dir, NoLog: true, NoSigs: true,
		Cluster: server.ClusterOpts{Name: "fleet", Host: "127.0.0.1", Port: o.Cluster}, Routes: routes,
	})
	if err != nil {
		return err
	}
	s.Start()
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGTERM)
	<-end
	s.Shutdown()
	s.WaitForShutdown()
	return nil
}

package tournament

import (
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/schedule"
)

// Planned is the tournament that a plan describes, and how the plan wants it to be played. The
// directory and who is told are to be added.
func Planned(p *plan.Plan, version string) (*Tournament, Options, error) {
	s, err := schedule.New(p.Schedule)
	if err != nil {
		return nil, Options{}, err
	}
	t := &Tournament{
		Name: p.Name, Conditions: p.Conditions, Schedule: s, Test: p.Test,
		Records: p.Records, Explain: p.Explain, Plan: p.Canonical(), Fingerprint: p.Fingerprint(),
		Version: version, Concurrency: p.Concurrency,
	}
	for _, who := range p.Players {
		t.Players = append(t.Players, who.Entrant)
	}
	return t, Options{
		Concurrency: p.Concurrency, Pin: string(p.Pin),
		URL: p.Queue.URL, Listen: p.Queue.Listen, Token: p.Queue.Token, Replicas: p.Queue.Replicas,
	}, nil
}

// Names are the names of the players.
func (t *Tournament) Names() []string {
	names := make([]string, len(t.Players))
	for i, e := range t.Players {
		names[i] = e.Name
	}
	return names
}

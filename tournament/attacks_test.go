package tournament

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// attacks are what a worker's credential must not be good for. Each is made while a tournament runs, and says what the
// coordinator has to warn about, a regular expression; "": nothing.
var attacks = map[string]func(h *hostile) (warned string){
	"reads everything": func(h *hostile) string {
		heard := 0
		subjects := []string{">", "_INBOX.>", "_INBOX.*.>", "luzhanqi.>", "luzhanqi.worker.>", "luzhanqi.*.job.>", "luzhanqi.*.done.>", "$SYS.>", "$JS.>", "$O.>", "$KV.>", "$JS.ACK.>", "_R_.>"}
		for _, subject := range subjects {
			h.Subscribe(subject, func(*nats.Msg) { heard++ })
			h.QueueSubscribe(subject, "q", func(*nats.Msg) { heard++ })
		}
		h.Flush()
		h.sleepUntilOver()
		if heard > 0 || h.refusals() < len(subjects) {
			h.Errorf("it heard %d messages; %d of %d subscriptions were denied", heard, h.refusals(), 2*len(subjects))
		}
		return ""
	},
	"manages JetStream": func(h *hostile) string {
		jobs, done := "LUZHANQI_"+h.tournament+"_JOBS", "LUZHANQI_"+h.tournament+"_DONE"
		for _, api := range []string{"INFO", "STREAM.NAMES", "STREAM.LIST", "STREAM.CREATE.X", "SERVER.REMOVE", "ACCOUNT.PURGE.$G", "META.LEADER.STEPDOWN"} {
			h.mustNotAnswer("$JS.API." + api)
		}
		for _, stream := range []string{jobs, done} {
			for _, api := range []string{
				"STREAM.INFO.%s", "STREAM.UPDATE.%s", "STREAM.PURGE.%s", "STREAM.DELETE.%s", "STREAM.MSG.GET.%s", "STREAM.MSG.DELETE.%s", "STREAM.SNAPSHOT.%s",
				"DIRECT.GET.%s", "CONSUMER.NAMES.%s", "CONSUMER.LIST.%s", "CONSUMER.CREATE.%s", "CONSUMER.CREATE.%s.x", "CONSUMER.DURABLE.CREATE.%s.x",
				"CONSUMER.INFO.%s.all", "CONSUMER.DELETE.%s.all", "CONSUMER.MSG.NEXT.%s.all",
			} {
				h.mustNotAnswer("$JS.API." + fmt.Sprintf(api, stream))
			}
		}
		h.mustNotAnswer("$SYS.REQ.SERVER.PING")
		h.mustNotAnswer("$SYS.REQ.ACCOUNT.$G.CONNZ")
		return ""
	},
	"has answers sent elsewhere": func(h *hostile) string {
		jobs := "LUZHANQI_" + h.tournament + "_JOBS"
		for _, kind := range []string{"find", "take." + h.tournament, "bring." + h.tournament, "keep." + h.tournament, "x"} {
			for _, to := range []string{
				"$JS.API.STREAM.DELETE." + jobs, "$JS.API.STREAM.PURGE." + jobs, "luzhanqi." + h.tournament + ".job.stray.1",
				"luzhanqi." + h.tournament + ".done.r01-p001-g1.1", "luzhanqi.worker.other.bring." + h.tournament, "_INBOX.other.1",
			} {
				h.PublishRequest("luzhanqi.worker."+h.name+"."+kind, to, []byte("{\"wait_ms\":1}\n"))
			}
		}
		h.Flush()
		return "has not taken"
	},
	"publishes jobs, results and records": func(h *hostile) string {
		for _, subject := range []string{"luzhanqi.%s.job.r01-p001-g1.1", "luzhanqi.%s.job.stray.1", "luzhanqi.%s.done.r01-p001-g1.1", "$O.LUZHANQI_%s_DONE.C.x", "luzhanqi.worker.here.bring.%s", "luzhanqi.worker.*.take.%s"} {
			h.Publish(fmt.Sprintf(subject, h.tournament), []byte("{}"))
		}
		h.Flush()
		if h.refusals() < 5 {
			h.Errorf("%d were denied", h.refusals())
		}
		return ""
	},
	"acknowledges what others have taken": func(h *hostile) string {
		for i := range 200 {
			for _, stream := range []string{"JOBS", "DONE"} {
				for _, what := range []string{"+ACK", "-NAK", "+TERM"} {
					h.Publish(fmt.Sprintf("$JS.ACK.LUZHANQI_%s_%s.all.1.%d.%d.%d.0", h.tournament, stream, i, i, time.Now().UnixNano()), []byte(what))
				}
			}
		}
		ticket := h.take().Ticket
		ticket["ack"] = strings.Replace(ticket["ack"].(string), ".all.1.", ".all.2.", 1)
		for _, kind := range []string{"keep", "return", "leave", "bring"} {
			if a, err := h.ask(kind, map[string]any{"ticket": ticket}, nil); err != nil || !a.Refused {
				h.Errorf("%s with another acknowledgement: %+v, %v", kind, a, err)
			}
		}
		return "has not taken"
	},
	"brings what it has not taken": func(h *hostile) string {
		taken := h.take()
		r := h.play(taken.Job)
		for _, ticket := range []map[string]any{
			nil, {}, {"id": r.ID, "attempt": 1, "deliveries": 1, "ack": "$JS.ACK", "mark": "AAAA"},
		} {
			if a := h.bring(ticket, r); !a.Refused {
				h.Errorf("with the ticket %v: %+v", ticket, a)
			}
		}
		return "has not taken"
	},
	"brings a lie": func(h *hostile) string {
		taken := h.take()
		if a := h.bring(taken.Ticket, swapped(h.play(taken.Job))); !a.Refused {
			h.Errorf("%+v", a)
		}
		if a := h.take(); !a.Refused {
			h.Errorf("and gets game %v", a.Ticket)
		}
		return "ends otherwise"
	},
	"brings another game's result": func(h *hostile) string {
		one, other := h.take(), h.take()
		r := h.play(other.Job)
		if a := h.bring(one.Ticket, r); !a.Refused {
			h.Errorf("%+v", a)
		}
		return "brings a result of"
	},
	"brings a path": func(h *hostile) string {
		taken := h.take()
		r := h.play(taken.Job)
		r.ID = "../../../" + r.ID
		if a := h.bring(taken.Ticket, r); !a.Refused {
			h.Errorf("%+v", a)
		}
		return "no name of a game"
	},
	"brings garbage": func(h *hostile) string {
		taken := h.take()
		if a, err := h.ask("bring", map[string]any{"ticket": taken.Ticket}, []byte("\xff\xff\xff\xff garbage")); err != nil || !a.Refused {
			h.Errorf("%+v, %v", a, err)
		}
		return "are its text"
	},
	"brings it twice": func(h *hostile) string {
		taken := h.take()
		r := h.play(taken.Job)
		for range 2 {
			if a := h.bring(taken.Ticket, r); a.Error != "" {
				h.Errorf("%+v", a)
			}
		}
		h.bring(taken.Ticket, swapped(r))
		return ""
	},
	"brings 64 MiB": func(h *hostile) string {
		taken := h.take()
		line, _ := json.Marshal(map[string]any{"ticket": taken.Ticket})
		err := h.Publish(fmt.Sprintf("luzhanqi.worker.%s.bring.%s", h.name, h.tournament), append(append(line, '\n'), make([]byte, 64<<20)...))
		if err == nil && h.FlushTimeout(5*time.Second) == nil {
			h.Error("the server has taken it")
		}
		return ""
	},
	"says what is no request": func(h *hostile) string {
		for _, kind := range []string{"find", "take", "keep", "return", "leave", "bring", "", "*", "take.x", "bring.x.y"} {
			for _, text := range []string{"", "\n", "{", "{}\n", "null\n", "[]\n", `{"ticket":null}` + "\n", `{"wait_ms":-1,"part":-7,"parts":99999999,"slot":-9}` + "\n", strings.Repeat("x", 1<<20)} {
				h.Publish("luzhanqi.worker."+h.name+"."+kind+"."+h.tournament, []byte(text))
			}
		}
		h.Flush()
		return "has not taken"
	},
	"floods": func(h *hostile) string {
		for _, kind := range []string{"find", "take." + h.tournament, "keep." + h.tournament, "bring." + h.tournament} {
			for range 20_000 {
				h.Publish("luzhanqi.worker."+h.name+"."+kind, []byte("{\"ticket\":{}}\n"))
			}
		}
		h.FlushTimeout(20 * time.Second)
		return `has not taken|sends more than \d+ requests, or \d+ bytes, at a time|sends requests faster than they are read` // whichever is seen first: a worker is warned about once
	},
	"takes games and plays none": func(h *hostile) string {
		for range 5 {
			h.take()
		}
		return ""
	},
}

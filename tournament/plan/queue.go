package plan

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// schemes are those of servers of a cluster.
var schemes = []string{"nats", "tls", "ws", "wss"}

// queue reads where games wait.
func (r *reading) queue() {
	t := r.root.Table("queue")
	q := Queue{
		URL: t.Text("url", ""), Listen: t.Text("listen", ""), Token: t.Text("token", ""),
		Replicas: int(t.Whole("replicas", 1, 1, 5)),
	}
	if q.Replicas%2 == 0 {
		t.Errorf("replicas", "found %d; allowed are 1, 3 and 5: of an even number one is of no use", q.Replicas)
	}
	switch {
	case t.Has("url") && t.Has("listen"):
		t.Errorf("listen", "found a url too: the servers of a cluster listen themselves; allowed is one of the two")
	case t.Has("url"):
		t.Error("url", CheckURL(q.URL))
	case t.Has("listen"):
		t.Error("listen", checkListen(q.Listen, q.Token))
	case t.Has("token"):
		t.Errorf("token", "it has no effect without url or listen: nobody from outside is let in")
	}
	if t.Has("replicas") && !t.Has("url") {
		t.Errorf("replicas", "it has no effect without the url of a cluster: the embedded queue is one server")
	}
	r.Queue = q
}

// CheckURL checks the servers of a cluster, separated by commas.
func CheckURL(text string) error {
	for server := range strings.SplitSeq(text, ",") {
		u, err := url.Parse(strings.TrimSpace(server))
		if err != nil || !slices.Contains(schemes, u.Scheme) || u.Hostname() == "" || !soundPort(u.Port()) {
			if at := strings.LastIndexByte(server, '@'); at >= 0 {
				server = "…" + server[at:] // not the token
			}
			return fmt.Errorf("found %q; allowed are servers such as nats://host:4222, separated by commas, with %s", server, strings.Join(schemes, ", "))
		}
	}
	return nil
}

// checkListen checks an address to listen at. Whoever may connect can have programs run on the machines of workers,
// and send results: strangers must be kept out, and so must be the other users of this machine and the
// programs that play.
func checkListen(text, token string) error {
	_, port, err := net.SplitHostPort(text)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return fmt.Errorf("found %q; allowed is host:port such as 127.0.0.1:4222", text)
	}
	if token == "" {
		return fmt.Errorf("%q lets in anyone who can reach it, the programs that play included; give a token, too", text)
	}
	return nil
}

// soundPort says whether a port is a number that one can have, or left out.
func soundPort(text string) bool {
	_, err := strconv.ParseUint(text, 10, 16)
	return text == "" || err == nil
}

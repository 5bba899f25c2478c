package plan

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
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
		TokenFile: t.Text("token_file", ""), Replicas: int(t.Whole("replicas", 1, 1, 5)),
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
		t.Error("listen", checkListen(q.Listen))
	case t.Has("token"), t.Has("token_file"):
		key := "token"
		if !t.Has(key) {
			key = "token_file"
		}
		t.Errorf(key, "it has no effect without url or listen: nobody from outside is let in")
	}
	if t.Has("token") && t.Has("token_file") {
		t.Errorf("token_file", "found a token too; allowed is one of the two")
	}
	if q.TokenFile != "" && !filepath.IsAbs(q.TokenFile) {
		q.TokenFile = filepath.Join(r.folder, filepath.FromSlash(q.TokenFile))
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

// checkListen checks an address to listen at.
func checkListen(text string) error {
	_, port, err := net.SplitHostPort(text)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return fmt.Errorf("found %q; allowed is host:port such as 127.0.0.1:4222", text)
	}
	return nil
}

// soundPort says whether a port is a number that one can have, or left out.
func soundPort(text string) bool {
	_, err := strconv.ParseUint(text, 10, 16)
	return text == "" || err == nil
}

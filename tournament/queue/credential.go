package queue

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/nats-io/nats-server/v2/server"
)

// Here is the name of the workers in the coordinator's own process, where the server is embedded.
const Here = "here"

// credential is who we are to the servers. It is sent so that both kinds of them understand it: one asks for a token, be
// it the embedded server or a cluster with one token for all; the other for a name and a password.
type credential struct{ name, password, token string }

// newCredential reads a token, or NAME:PASSWORD. Who has no name gets one that nobody can guess, since whoever knows
// it may read what is sent to it; host begins it, for people.
func newCredential(secret, host string) (credential, error) {
	if name, password, ok := strings.Cut(secret, ":"); ok {
		if !sound(name) {
			return credential{}, fmt.Errorf("the credential's name, before the colon, has to consist of up to %d letters, digits, - and _", maxName)
		}
		return credential{name, password, secret}, nil
	}
	host = unsound.ReplaceAllString(host, "-")
	return credential{host[:min(len(host), maxName/2)] + "-" + random(), secret, secret}, nil
}

const maxName = 80

var (
	unsound = regexp.MustCompile(`[^A-Za-z0-9_-]`)
	madeUp  = regexp.MustCompile(`-[0-9a-f]{32}$`)
)

// sound says whether a name can be a part of a subject. An expression that counts to maxName would cost every command's start 0.2 ms.
func sound(name string) bool {
	return name != "" && len(name) <= maxName && !unsound.MatchString(name)
}

// random is 128 bits that nobody can guess.
func random() string {
	b := make([]byte, 16)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// shown is what people see of a name: of one that was made up so little that nobody can use it.
func shown(name string) string {
	if madeUp.MatchString(name) {
		return name[:len(name)-26]
	}
	return name
}

// inbox is where answers to a name are sent.
func inbox(name string) string { return "_INBOX." + name }

// subjectOf is where a worker's message of a kind is published.
func subjectOf(name, kind string) string { return "luzhanqi.worker." + name + "." + kind }

// permissions are those of a worker: it may talk to the coordinator, in its own name, and hear what is answered.
// Nothing of JetStream is open to it, not even to take its games: whoever may ask JetStream anything can have
// the answer sent to any subject, another request of JetStream's among them, with the server's rights. That
// deletes streams.
func permissions(name string) *server.Permissions {
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: []string{subjectOf(name, ">")}},
		Subscribe: &server.SubjectPermission{Allow: []string{inbox(name) + ".>"}},
	}
}

// cutSecrets takes the token or NAME:PASSWORD out of the URLs of servers, which all have the same, or none.
func cutSecrets(urls string) (without, secret string, err error) {
	without = WithoutToken(urls)
	for text := range strings.SplitSeq(urls, ",") {
		u, err := url.Parse(strings.TrimSpace(text))
		if err != nil {
			return without, "", fmt.Errorf("connect to the queue at %s: what stands before the @ is no part of a URL", without)
		}
		if u.User == nil || secret != "" {
			continue
		}
		secret = u.User.Username()
		if password, ok := u.User.Password(); ok {
			secret += ":" + password
		}
	}
	return without, secret, nil
}

// WithoutToken hides what the URLs of servers have before their @.
func WithoutToken(urls string) string {
	var all []string
	for url := range strings.SplitSeq(urls, ",") {
		scheme, rest, ok := strings.Cut(strings.TrimSpace(url), "://")
		if !ok {
			scheme, rest = "nats", url
		}
		if at := strings.LastIndexByte(rest, '@'); at >= 0 {
			rest = rest[at+1:]
		}
		all = append(all, scheme+"://"+rest)
	}
	return strings.Join(all, ",")
}

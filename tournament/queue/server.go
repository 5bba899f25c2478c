package queue

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// maxMessage bounds a message of the embedded server. Longer records come in parts, and go to its object store. The server holds
// up whoever sends faster than is read, but only between messages, and ends the connection to whom 64 MiB wait: so a message is
// a small part of that.
const maxMessage = 2 << 20

// The embedded server's folder in the tournament's directory, and what it is called when it was set aside.
const (
	Folder  = "queue"
	Damaged = "queue.damaged"
)

// Embed runs a JetStream server for one tournament inside this process, with its files in a directory, and
// connects to it without a network. Without an address to listen on the server opens no port; with one it lets in workers
// that know the token. If it cannot work with the files that are there, it sets them aside and warns: the store knows
// what they would say.
//
// What the queue has not written when the machine loses its power is only jobs, which are offered again, and
// results that are not in the store yet, whose games are played again: so it need not synchronize every message.
func Embed(ctx context.Context, dir, listen, token, id string, warn func(string)) (*Client, error) {
	o := server.Options{
		ServerName: "luzhanqi", JetStream: true, StoreDir: filepath.Join(dir, Folder), DontListen: listen == "",
		NoLog: true, NoSigs: true, MaxPayload: maxMessage,
	}
	if listen != "" {
		if err := listenAt(&o, listen); err != nil {
			return nil, err
		}
	}
	var c *Client
	err := onlyFiles(o.StoreDir)
	if err == nil {
		c, err = embed(ctx, o, token, id, warn)
	}
	if err == nil || ctx.Err() != nil {
		return c, err
	}
	aside := filepath.Join(dir, Damaged)
	if os.RemoveAll(aside) != nil || os.Rename(o.StoreDir, aside) != nil {
		return nil, err
	}
	warn(fmt.Sprintf("the queue in %s cannot be used and was set aside as %s; nothing that was stored is lost: %v", o.StoreDir, aside, err))
	return embed(ctx, o, token, id, warn)
}

// onlyFiles refuses a folder in which there is anything but folders and files: the server follows links, and would cut off
// or overwrite what they lead to; at pipes it waits.
func onlyFiles(dir string) error {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !d.Type().IsRegular() {
			err = fmt.Errorf("%s is neither a folder nor a regular file", path)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// embed starts the server, connects to it, and makes the streams.
func embed(ctx context.Context, o server.Options, token, id string, warn func(string)) (*Client, error) {
	coordinator := credential{name: Here, token: random()} // leaves this process no more than its memory does
	in := &door{coordinator: coordinator.token, worker: token}
	o.CustomClientAuthentication = in
	s, err := start(o)
	if err != nil {
		return nil, err
	}
	c, err := connect(s.ClientURL(), coordinator, warn, nats.InProcessServer(s))
	if err != nil {
		shutDown(s)
		return nil, err
	}
	c.server, c.door, c.dir, c.MaxFailing = s, in, o.StoreDir, 15*time.Second
	err = c.Queue(id, 1).Ensure(ctx)
	if err == nil { // what can be made over damaged files cannot always be changed, which the next Ensure does
		err = c.Queue(id, 1).Ensure(ctx)
	}
	if err != nil {
		err = fmt.Errorf("queue in %s: %w; if there is no room on its disk, make some", o.StoreDir, err)
		c.Close()
		return nil, err
	}
	return c, nil
}

// door decides who may connect to the embedded server. A worker's permissions are those of its name, which nobody else
// can have: two of them cannot read each other's answers, and each result is from who it says.
type door struct {
	coordinator, worker string
	expelled            sync.Map // names
}

// Check implements [server.Authentication].
func (d *door) Check(c server.ClientAuthentication) bool {
	o := c.GetOpts()
	if same(o.Token, d.coordinator) {
		return true
	}
	if !same(o.Token, d.worker) || !sound(o.Username) || o.Username == Here {
		return false
	}
	if _, known := d.expelled.Load(o.Username); known {
		return false
	}
	c.RegisterUser(&server.User{Username: o.Username, Permissions: permissions(o.Username)})
	return true
}

// expel ends the connections of a name and makes no others. Where the server is elsewhere, only its owner can do that.
func (c *Client) expel(name string) {
	if c.server == nil {
		return
	}
	c.door.expelled.Store(name, true)
	found, err := c.server.Connz(&server.ConnzOptions{Username: true, User: name})
	if err != nil {
		return
	}
	for _, conn := range found.Conns {
		c.server.DisconnectClientByID(conn.Cid)
	}
}

// same compares secrets in a time that tells nothing about them; nothing is like an empty one.
func same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return b != "" && subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// listenAt reads the address at which the server lets workers in.
func listenAt(o *server.Options, listen string) error {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return fmt.Errorf("queue: listen on %q: %w; allowed is host:port, such as 127.0.0.1:4222", listen, err)
	}
	if o.Port, err = strconv.Atoi(port); err != nil {
		return fmt.Errorf("queue: listen on %q: port %q: allowed is a number", listen, port)
	}
	if o.Port == 0 {
		o.Port = server.RANDOM_PORT
	}
	o.Host = host
	probe, err := net.Listen("tcp", listen) // the server itself would end the process
	if err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	return probe.Close()
}

func start(o server.Options) (*server.Server, error) {
	s, err := server.NewServer(&o)
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	fatal := &fatalLog{said: make(chan string, 1)}
	s.SetLogger(fatal, false, false)
	s.Start()
	for range 600 {
		if s.ReadyForConnections(100 * time.Millisecond) {
			return s, nil
		}
		select {
		case why := <-fatal.said:
			s.Shutdown()
			return nil, fmt.Errorf("queue in %s: %s", o.StoreDir, why)
		default:
		}
	}
	s.Shutdown()
	return nil, errors.New("queue: the embedded server was not ready within a minute")
}

func shutDown(s *server.Server) {
	s.Shutdown()
	s.WaitForShutdown()
}

// dead says that the embedded queue has given up, which it does when its disk is full, or fails for too long: it does
// not go away and come back.
func (c *Client) dead(failing time.Duration) error {
	if c.server.JetStreamEnabled() && failing < c.MaxFailing {
		return nil
	}
	return fmt.Errorf("the queue in %s %w; if there is no room on its disk, make some, and run it again: nothing that was stored is lost", c.dir, ErrStopped)
}

// fatalLog keeps what the server says before it would give up; nothing else it says is for people who
// run a tournament.
type fatalLog struct{ said chan string }

func (l *fatalLog) Fatalf(format string, v ...any) {
	select {
	case l.said <- fmt.Sprintf(format, v...):
	default:
	}
}
func (*fatalLog) Noticef(string, ...any) {}
func (*fatalLog) Warnf(string, ...any)   {}
func (*fatalLog) Errorf(string, ...any)  {}
func (*fatalLog) Debugf(string, ...any)  {}
func (*fatalLog) Tracef(string, ...any)  {}

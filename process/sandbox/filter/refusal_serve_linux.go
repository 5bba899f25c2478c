package filter

import (
	"math/bits"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"luzhanqi/text"
)

// maxRefusals is how many kinds of refused calls are told apart. The calls of all further kinds are counted as
// one kind.
const maxRefusals = 50

// maxDetail is the length of a detail, in bytes.
const maxDetail = 200

// seccompData and the two structures below are the kernel's, see seccomp_unotify(2).
type seccompData struct {
	Number  int32
	Arch    uint32
	Pointer uint64
	Args    [6]uint64
}

type seccompNotification struct {
	ID    uint64
	PID   uint32 // of the thread; 0 where the listener cannot see it
	Flags uint32
	Data  seccompData
}

type seccompResponse struct {
	ID    uint64
	Value int64
	Error int32
	Flags uint32
}

// Serve answers the calls that a filter of f refuses, and reports them. It returns when the last thread
// with the filter is gone, the one that installed it included (from Linux 5.9 on; before it, never), and closes the
// listener. It belongs on a thread of its own that has no filter and may read the callers' memory.
//
// found gets each kind of refused call, told apart by call and detail, the first time, then when its count has
// doubled, and at the end if the count has grown since: a later Refusal of a kind replaces the one before.
// What a program can cause to be kept is bounded, see [maxRefusals]; its calls wait for their answer, so that it
// pays for what they cost here.
//
// A caller can change its memory after it was read here. Nothing depends on it but words, see [finding].
func Serve(f Spec, listener int, found func(Refusal)) {
	defer unix.Close(listener)
	rules := map[int32]rule{}
	for _, r := range f.rules() {
		rules[int32(r.number)] = r
	}
	kept := refusals{found: found, kinds: map[refusalKind]*keptRefusal{}}
	defer kept.end()
	for {
		ready := []unix.PollFd{{Fd: int32(listener), Events: unix.POLLIN}}
		if _, err := unix.Poll(ready, -1); err == unix.EINTR {
			continue
		}
		if ready[0].Revents&unix.POLLIN == 0 {
			return // hung up: there is nobody left who could call
		}
		var n seccompNotification
		errno := listenerIoctl(listener, unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&n))
		if errno == unix.EINTR || errno == unix.ENOENT { // the caller was killed in between
			continue
		}
		if errno != 0 {
			return // callers get ENOSYS from now on
		}
		c := &call{notification: n, listener: listener}
		r := rules[n.Data.Number]
		finding := c.look(r)
		valid := listenerIoctl(listener, unix.SECCOMP_IOCTL_NOTIF_ID_VALID, unsafe.Pointer(&n.ID)) == 0
		if valid && !finding.goOn { // else another process may have been looked at
			kept.add(refusalKind{r.name, text.Prefix(finding.detail, maxDetail)}, finding.harmless)
		}
		response := seccompResponse{ID: n.ID, Error: -int32(finding.errno)}
		if finding.goOn {
			response = seccompResponse{ID: n.ID, Flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
		}
		errno = listenerIoctl(listener, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&response)) // ENOENT: the caller was killed
		if errno == unix.EINVAL && finding.goOn {                                                 // Linux before 5.5 lets nothing go on
			response = seccompResponse{ID: n.ID, Error: -int32(finding.errno)}
			listenerIoctl(listener, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&response))
		}
	}
}

func listenerIoctl(listener int, request uintptr, argument unsafe.Pointer) unix.Errno {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(listener), request, uintptr(argument))
	return errno
}

type refusalKind struct{ call, detail string }

type keptRefusal struct {
	Refusal
	told int // the count that found last got
}

// refusals are what one program was refused.
type refusals struct {
	found func(Refusal)
	kinds map[refusalKind]*keptRefusal
	order []*keptRefusal
}

// furtherKinds are all kinds after the first maxRefusals - 1.
var furtherKinds = refusalKind{call: FurtherCalls}

// add counts a call. To find out that it is harmless may take longer than all the rest, so this is asked only for
// kinds that are not kept.
func (r *refusals) add(kind refusalKind, harmless func() bool) {
	kept := r.kinds[kind]
	if kept == nil && harmless != nil && harmless() {
		return
	}
	if kept == nil && len(r.kinds) >= maxRefusals-1 {
		kind = furtherKinds
		kept = r.kinds[kind]
	}
	if kept == nil {
		kept = &keptRefusal{Refusal: Refusal{Call: kind.call, Detail: kind.detail, At: time.Now()}}
		r.kinds[kind], r.order = kept, append(r.order, kept)
	}
	kept.Count++
	if bits.OnesCount(uint(kept.Count)) == 1 {
		r.tell(kept)
	}
}

func (r *refusals) tell(kept *keptRefusal) {
	kept.told = kept.Count
	r.found(kept.Refusal)
}

// end tells the counts that have grown since they were told.
func (r *refusals) end() {
	for _, kept := range r.order {
		if kept.told != kept.Count {
			r.tell(kept)
		}
	}
}

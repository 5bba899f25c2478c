package filter

import "golang.org/x/sys/unix"

// rule is a system call that is refused, always or for some arguments.
type rule struct {
	number uintptr
	name   string
	errno  unix.Errno          // what the caller gets; 0: EPERM
	mute   bool                // never reported: runtimes try it
	ask    bool                // always by way of Serve, whose look decides
	noop   bool                // the caller is told that it was done, which does no harm
	when   []test              // refused if one of them is true; none: always
	look   func(*call) finding // what the call was to do; nil: the name says it all
}

// test looks at 32 of the 64 bits of an argument, those that the kernel reads where it wants an int.
type test struct {
	arg    int
	upper  bool
	mask   uint32
	values []uint32
	unless bool  // true if the masked argument is none of the values, otherwise if it is one of them
	and    *test // true only if this is, too; nil: it is
}

// is is true if an argument is one of some values; isNot, if it is none of them.
func is(arg int, values ...uint32) test { return test{arg: arg, mask: ^uint32(0), values: values} }

func isNot(arg int, values ...uint32) test {
	return test{arg: arg, mask: ^uint32(0), values: values, unless: true}
}

// masked looks at some bits only.
func (t test) masked(bits uint32) test { t.mask = bits; return t }

// has is true if one of some bits is set.
func has(arg int, bits uint32) test { return isNot(arg, 0).masked(bits) }

// also is true only if another test is.
func (t test) also(other test) test { t.and = &other; return t }

// notNull is true for a pointer that leads somewhere.
func notNull(arg int) []test {
	upper := isNot(arg, 0)
	upper.upper = true
	return []test{isNot(arg, 0), upper}
}

// The parts of struct seccomp_data that a filter reads: offsets in bytes.
const (
	dataNumber    = 0
	dataArch      = 4
	dataArguments = 16
)

// newestCall is the highest number, the same for all architectures, that was looked at when the rules were
// written (Linux 6.17). What is newer does not exist for the program: libraries then do without.
const newestCall = unix.SYS_FILE_SETATTR

// assemble makes a filter of rules, a block for each number, in the order of the rules. The kernel asks it only
// for numbers that have a block with arguments: it remembers which others always pass.
func assemble(rules []rule, notify bool) []unix.SockFilter {
	program := []unix.SockFilter{
		load(dataArch),
		jump(unix.BPF_JEQ, auditArch, 1, 0),
		answer(unix.SECCOMP_RET_KILL_PROCESS),
		load(dataNumber),
		jump(unix.BPF_JGE, 1<<31, 0, 1), // -1, which some use as the number of no call
		refuse(unix.ENOSYS),
		jump(unix.BPF_JGE, 1<<30, 0, 1), // x32 has this bit, and the architecture of amd64
		answer(unix.SECCOMP_RET_KILL_PROCESS),
	}
	for _, r := range rules {
		block := r.block(notify)
		program = append(program, jump(unix.BPF_JEQ, uint32(r.number), 0, uint8(len(block))))
		program = append(program, block...)
	}
	return append(program,
		jump(unix.BPF_JGT, newestCall, 0, 1),
		refuse(unix.ENOSYS),
		answer(unix.SECCOMP_RET_ALLOW))
}

// refusal is what the caller gets.
func (r rule) refusal() unix.Errno {
	if r.errno == 0 && !r.noop {
		return unix.EPERM
	}
	return r.errno
}

// block is what is asked and answered for a rule's number. It ends with an answer.
func (r rule) block(notify bool) []unix.SockFilter {
	refused := refuse(r.refusal())
	if r.ask || notify && !r.mute {
		refused = answer(unix.SECCOMP_RET_USER_NOTIF)
	}
	if len(r.when) == 0 {
		return []unix.SockFilter{refused}
	}
	var block []unix.SockFilter
	for _, t := range r.when {
		block = append(block, t.then([]unix.SockFilter{refused})...)
	}
	return append(block, answer(unix.SECCOMP_RET_ALLOW))
}

// then goes on with what is to be done if the test is true, else behind that.
func (t test) then(done []unix.SockFilter) []unix.SockFilter {
	if t.and != nil {
		done = t.and.then(done)
	}
	at := uint32(dataArguments + 8*t.arg)
	if t.upper {
		at += 4 // both architectures are little-endian
	}
	asked := []unix.SockFilter{load(at), {Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: t.mask}}
	n := len(t.values)
	for i, v := range t.values {
		skip := n - i // the other values and one instruction
		if t.unless {
			skip = n - i - 1 + len(done)
		}
		asked = append(asked, jump(unix.BPF_JEQ, v, uint8(skip), 0))
	}
	if !t.unless {
		asked = append(asked, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JA, K: uint32(len(done))})
	}
	return append(asked, done...)
}

func load(at uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
}

// jump skips so many instructions if the comparison with k is true, or not.
func jump(comparison int, k uint32, ifTrue, ifNot uint8) unix.SockFilter {
	return unix.SockFilter{Code: uint16(unix.BPF_JMP | comparison | unix.BPF_K), K: k, Jt: ifTrue, Jf: ifNot}
}

func answer(action uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action}
}

func refuse(errno unix.Errno) unix.SockFilter { return answer(unix.SECCOMP_RET_ERRNO | uint32(errno)) }

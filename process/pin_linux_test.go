package process

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// TestPinThread: a pinned thread keeps to its processor and gives way there, where the kernel knows of slices; and afterwards it
// is as before.
func TestPinThread(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	now := func() (set unix.CPUSet, slice uint64) {
		attr, err := unix.SchedGetAttr(0, 0)
		if err == nil {
			err = unix.SchedGetaffinity(0, &set)
		}
		if err != nil {
			t.Fatal(err)
		}
		return set, attr.Runtime
	}
	set, slice := now()
	cpu := Cores()[0]
	undo := PinThread(cpu)
	pinned, longer := now()
	if pinned.Count() != 1 || !pinned.IsSet(cpu) {
		t.Errorf("pinned to %d, a thread may run on %v", cpu, pinned)
	}
	if longer != longSlice*slice {
		t.Errorf("its slice is %d ns, and was %d", longer, slice)
	}
	undo()
	if after, again := now(); after != set || again != slice {
		t.Errorf("afterwards it may run on %v for %d ns, before on %v for %d ns", after, again, set, slice)
	}
}

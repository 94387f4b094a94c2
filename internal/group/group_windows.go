package group

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"unsafe"
)

// Numbers of winnt.h and winerror.h that package syscall does not have.
const (
	basicAccounting = 1      // JobObjectBasicAccountingInformation
	extendedLimits  = 9      // JobObjectExtendedLimitInformation
	killOnJobClose  = 0x2000 // JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	killedByUs      = 1      // the exit code of what TerminateJobObject ends
	noSuchJob       = syscall.Handle(0)
)

var (
	kernel32            = syscall.NewLazyDLL("kernel32.dll")
	createJobObject     = kernel32.NewProc("CreateJobObjectW")
	setJobInformation   = kernel32.NewProc("SetInformationJobObject")
	queryJobInformation = kernel32.NewProc("QueryInformationJobObject")
	assignToJob         = kernel32.NewProc("AssignProcessToJobObject")
	terminateJob        = kernel32.NewProc("TerminateJobObject")
)

// jobLimits is JOBOBJECT_EXTENDED_LIMIT_INFORMATION.
type jobLimits struct {
	processTime, jobTime       int64
	flags                      uint32
	minWorkingSet              uintptr
	maxWorkingSet              uintptr
	activeProcesses            uint32
	affinity                   uintptr
	priorityClass, schedClass  uint32
	_                          [8 - unsafe.Sizeof(uintptr(0))]byte // C aligns uint64 to 8 on 386 too
	io                         [6]uint64
	processMemory, jobMemory   uintptr
	peakProcessMem, peakJobMem uintptr
}

// jobAccounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION.
type jobAccounting struct {
	times                                 [4]int64
	faults, processes, active, terminated uint32
}

// A Group is the job object that a child and its descendants run in. It dies with
// us: the system ends a job when its last handle is closed.
type Group struct {
	leader *os.Process // written by Adopt, before anything else is called

	mu  sync.Mutex
	job syscall.Handle // noSuchJob if it could not be made, and after Release
}

// Attr keeps the Ctrl-C of our console from the child, as its end is ours to
// decide.
func Attr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// Adopt puts the process into a job of its own. Jobs nest since Windows 8, so that it
// matters not whether we run in one ourselves. What the process starts in the
// instant before that is not in the job. Without a job only the process itself is
// ended, which beats not running it at all.
func (g *Group) Adopt(leader *os.Process) {
	g.leader = leader
	job, _, _ := createJobObject.Call(0, 0)
	if job == 0 {
		return
	}
	limits := jobLimits{flags: killOnJobClose}
	ok, _, _ := setJobInformation.Call(job, extendedLimits, uintptr(unsafe.Pointer(&limits)), unsafe.Sizeof(limits))
	if ok != 0 {
		ok = 0 // stays so if the handle is gone
		_ = leader.WithHandle(func(process uintptr) { ok, _, _ = assignToJob.Call(job, process) })
	}
	if ok == 0 {
		_ = syscall.CloseHandle(syscall.Handle(job))
		return
	}
	g.job = syscall.Handle(job)
}

// Signal ends every process of the job: Windows has nothing milder that reaches a
// program without a window.
func (g *Group) Signal(sig syscall.Signal) error {
	if sig != syscall.SIGTERM && sig != syscall.SIGKILL {
		return fmt.Errorf("cannot send %v on Windows: %w", sig, errors.ErrUnsupported)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.job == noSuchJob {
		return g.leader.Kill()
	}
	if ok, _, err := terminateJob.Call(uintptr(g.job), killedByUs); ok == 0 {
		return fmt.Errorf("cannot end the job of process %d: %w", g.leader.Pid, err)
	}
	return nil
}

// Reap waits for the leader's exit. Handles, unlike process ids, are not reused
// while they are open.
func (g *Group) Reap(leader *exec.Cmd) { _ = leader.Wait() } // leader.ProcessState says more

// Alive reports whether a process of the job runs.
func (g *Group) Alive() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	var n jobAccounting
	ok, _, _ := queryJobInformation.Call(uintptr(g.job), basicAccounting,
		uintptr(unsafe.Pointer(&n)), unsafe.Sizeof(n), 0)
	return g.job != noSuchJob && ok != 0 && n.active > 0
}

// Release closes the job and ends what is left in it.
func (g *Group) Release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.job != noSuchJob {
		_ = syscall.CloseHandle(g.job)
		g.job = noSuchJob
	}
}

// ExitOf reads how a process ended: its exit code, which is -1 if the state is nil,
// because the wait failed. Nothing is ended by a signal here.
func ExitOf(state *os.ProcessState) (code int, signal string) {
	if state == nil {
		return -1, ""
	}
	return state.ExitCode(), ""
}

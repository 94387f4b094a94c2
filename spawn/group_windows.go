package spawn

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
	errNoData       = syscall.Errno(232)
	killedByUs      = 1 // the exit code of what TerminateJobObject ends
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

// A group is the job object that the child and its descendants run in. It dies with
// us: the system ends a job when its last handle is closed.
type group struct {
	leader *os.Process // written by adopt, before anything else is called

	mu  sync.Mutex
	job syscall.Handle // noSuchJob if it could not be made, and after release
}

// childAttr keeps the Ctrl-C of our console from the child, as its end is ours to
// decide.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// adopt puts the process into a job of its own. Jobs nest since Windows 8, so that it
// matters not whether we run in one ourselves. What the process starts in the
// instant before that is not in the job. Without a job only the process itself is
// ended, which beats not running it at all.
func (g *group) adopt(leader *os.Process) {
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

// signal ends every process of the job: Windows has nothing milder that reaches a
// program without a window.
func (g *group) signal(sig syscall.Signal) error {
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

// reap waits for the leader's exit. Handles, unlike process ids, are not reused
// while they are open.
func (g *group) reap(leader *exec.Cmd) { _ = leader.Wait() } // leader.ProcessState says more

// alive reports whether a process of the job runs.
func (g *group) alive() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	var n jobAccounting
	ok, _, _ := queryJobInformation.Call(uintptr(g.job), basicAccounting,
		uintptr(unsafe.Pointer(&n)), unsafe.Sizeof(n), 0)
	return g.job != noSuchJob && ok != 0 && n.active > 0
}

// release closes the job and ends what is left in it.
func (g *group) release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.job != noSuchJob {
		_ = syscall.CloseHandle(g.job)
		g.job = noSuchJob
	}
}

// exitOf reads how a process ended. The state is nil where the wait failed.
func exitOf(path string, state *os.ProcessState) ExitError {
	if state == nil {
		return ExitError{Path: path, Code: -1}
	}
	return ExitError{Path: path, Code: state.ExitCode()}
}

// brokenPipe reports that nobody reads the pipe that was written to.
func brokenPipe(err error) bool {
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, errNoData)
}

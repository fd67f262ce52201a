//go:build unix

package command

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the program into a process group of its own, so that what it starts can be killed with
// it, and so that Ctrl-C in the terminal reaches assay alone, which then ends the program in order.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) {
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil {
		_ = cmd.Process.Kill() // it may have ended already
	}
}

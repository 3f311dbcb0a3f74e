//go:build linux || darwin

package journal

import (
	"time"

	"golang.org/x/sys/unix"
)

// uptime is the time since the machine started, sleep included.
func uptime() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(uptimeClock, &ts); err != nil {
		panic("journal: no monotonic clock: " + err.Error())
	}
	return time.Duration(ts.Nano())
}

package execute

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// A capture keeps a stream of output in a file, its first fileBytes and its last
// tailBytes, however much is written. Write never fails, so that a full disk
// here does not break the command; Close tells.
type capture struct {
	path    string
	file    *os.File
	room    int64 // bytes the file may still take
	last    []byte
	written int64
	err     error
	tee     io.Writer // reads along; nil: nobody does
}

func newCapture(path string) (*capture, error) {
	f, err := newFile(path)
	if err != nil {
		return nil, err
	}
	return &capture{path: path, file: f, room: fileBytes}, nil
}

// newFile creates a file in place of what may be there: opening a pipe that
// somebody put there would not end.
func newFile(path string) (*os.File, error) {
	if err := removeIfThere(path); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// removeIfThere removes a file; that there is none is no error.
func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}

func (c *capture) Write(b []byte) (int, error) {
	c.written += int64(len(b))
	if c.tee != nil {
		_, _ = c.tee.Write(b) // it never fails
	}
	c.last = append(c.last, b[max(0, len(b)-tailBytes):]...)
	if extra := len(c.last) - tailBytes; extra > tailBytes { // move seldom
		c.last = append(c.last[:0], c.last[extra:]...)
	}
	if n := min(int64(len(b)), c.room); n > 0 && c.err == nil {
		_, c.err = c.file.Write(b[:n])
		c.room -= n
	}
	return len(b), nil
}

// tail is the end of the output; a first line cut in two is left out.
func (c *capture) tail() string {
	if c.written <= tailBytes {
		return string(c.last)
	}
	text := string(c.last[max(0, len(c.last)-tailBytes):])
	if _, rest, ok := strings.Cut(text, "\n"); ok {
		return rest
	}
	return ""
}

// Close completes the file; a second call does nothing.
func (c *capture) Close() error {
	if c.file == nil {
		return nil
	}
	if missing := c.written - fileBytes; missing > 0 && c.err == nil {
		end := []byte(c.tail())
		_, c.err = fmt.Fprintf(c.file, "\n[… %d bytes in all; the end follows …]\n%s", c.written, end)
	}
	if err := c.file.Close(); c.err == nil {
		c.err = err
	}
	c.file = nil
	return c.err
}

// readBounded reads the end of a file, as much as of a stream. A pipe or a device
// is refused: reading it might not end.
func readBounded(path string) (string, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info.Size() > tailBytes {
		if _, err := f.Seek(-tailBytes, io.SeekEnd); err != nil {
			return "", err
		}
	}
	b, err := io.ReadAll(io.LimitReader(f, tailBytes))
	return string(b), err
}

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"sync"

	"bohier/bench/peers"
)

// ownVersion tells builds of this program apart: the beginning of its SHA-256.
func ownVersion() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)[:6]), nil
}

// versions are those of the peers whose runs a file has. Runs of two versions of a peer do not go into one file.
type versions struct {
	path string
	mu   sync.Mutex
	of   map[string]string
}

func newVersions(path string, runs []*peers.Run) (*versions, error) {
	v := &versions{path: path, of: map[string]string{}}
	for _, r := range runs {
		if err := v.check(r); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func (v *versions) check(r *peers.Run) error {
	if r.Version == "" { // it ended before it said
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	known, ok := v.of[r.Variant]
	if !ok {
		v.of[r.Variant] = r.Version
		return nil
	}
	if known != r.Version {
		return fmt.Errorf("%s has runs of version %s of %s, and this is %s: to start it afresh,\n  sed -i "+
			"'/\"variant\":\"%s\"/d' %s",
			v.path, known, r.Variant, r.Version, r.Variant, v.path)
	}
	return nil
}

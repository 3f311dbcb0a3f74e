package config

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/study"
)

// journal resolves the journal's path against the study file's directory. The
// program writes there, so a study file from elsewhere must not lead outside.
func (l *loader) journal(n *yaml.Node) string {
	dir := filepath.Dir(l.file)
	path := Stem(l.file) + ".journal.jsonl"
	if n != nil {
		s, ok := l.text(n, "journal")
		if study.Scheme(s) != "" {
			l.elsewhere(n, s)
			return s
		}
		if !ok || !l.inside(n, "journal", s, "to keep it elsewhere use --journal or BOHIER_JOURNAL") {
			return ""
		}
		if strings.HasSuffix(s, "/") || filepath.Clean(s) == "." {
			l.errorf(n, "name a file: "+path, "journal must be a file, not a directory")
		}
		path = s
	}
	return filepath.Join(dir, path)
}

// elsewhere refuses a location that is no path and where no journal can be.
func (l *loader) elsewhere(n *yaml.Node, location string) bool {
	err := study.CheckLocation(location)
	if err != nil {
		l.errorf(n, err.Hint, "%s", err.Msg)
	}
	return err == nil
}

// earlierElsewhere is elsewhere for an earlier study's journal, whose location the journal of this one keeps.
func (l *loader) earlierElsewhere(n *yaml.Node, location string) {
	if !l.elsewhere(n, location) {
		return
	}
	if u, err := url.Parse(location); err != nil || u.User != nil {
		l.errorf(n, "name the user in PGUSER or a service file: postgres://host/database#NAME",
			"a URL in warm_start.journals must not name a user: this study's journal keeps it")
	}
}

// inside reports a path that leaves the study file's directory.
func (l *loader) inside(n *yaml.Node, key, path, hint string) bool {
	if !filepath.IsLocal(path) || leaves(filepath.Dir(l.file), path) {
		l.errorf(n, hint, "%s must stay inside the study file's directory, and %q does not", key, path)
		return false
	}
	return true
}

// leaves reports whether a symbolic link on the way takes a local path out of dir. A file that
// does not exist yet is where its directory is.
func leaves(dir, path string) bool {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return true
	}
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false // a study that is no file
	}
	for p := filepath.Clean(path); p != "."; p = filepath.Dir(p) {
		if real, err := filepath.EvalSymlinks(filepath.Join(dir, p)); err == nil {
			rel, err := filepath.Rel(root, real)
			return err != nil || !filepath.IsLocal(rel)
		}
	}
	return false
}

// earlier resolves the journals of earlier studies; they are only read, so any path will do.
func (l *loader) earlier(journals []string, section *yaml.Node) {
	list := l.object(section, "warm_start").get("journals")
	for k, p := range journals {
		at := list.Content[k]
		if study.Scheme(p) != "" {
			l.earlierElsewhere(at, p)
			continue
		}
		if !filepath.IsAbs(p) {
			p = filepath.Join(filepath.Dir(l.file), p)
		}
		if _, err := os.Stat(p); err != nil {
			l.warnf(at, "paths are relative to the study file; nothing is suggested without it", "there is no journal %s", p)
		}
		journals[k] = p
	}
}

// defaultName is the name of a study that gives none: that of its file or, where this is the usual one, of
// its directory.
func defaultName(file string) string {
	dir, err := filepath.Abs(filepath.Dir(file))
	if name := Stem(file); name != "bohier" || err != nil || filepath.Base(dir) == string(filepath.Separator) {
		return name
	}
	return filepath.Base(dir)
}

// Stem is a file's name without directory and extension.
func Stem(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

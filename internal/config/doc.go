// Package config reads study files: strict YAML in, a checked *study.Study or
// every mistake with file, line and column out.
//
// Start from [Load] (a file) or [Parse] (bytes). [Print] writes the normalised form, which parses to the same study;
// [Template] is one to start from, a [Source] and a [Draft] serve those who convert search spaces of other tools,
// [Schema] describes the file for editors, and [Reference] for people.
//
// A file is read in four steps, each in files of its own:
//
//   - document.go: bytes → yaml nodes; refuses texts that YAML would silently change
//     (tags, duplicate keys, octal numbers, empty block scalars, …);
//   - keys.txt: the keys, with their types and meanings; loading, printing, schema and
//     reference take them from there;
//   - object.go, settings.go, scalar.go: nodes → keys and values with defaults, unknown keys
//     with the nearest known one;
//   - load.go and one file a section: values → study.Study, checked without running it
//     (cycles, parameters never active, defaults that violate);
//   - lexer.go, parser.go, mapping.go, bind.go: conditions in both spellings →
//     one syntax tree → space.Expr.
//
// Mistakes are collected, never thrown: a parameter that does not load is marked broken, and references to it report
// nothing more. Warnings are lints; they never change the study. Columns count characters from 1.
//
// The package knows no numerics: the names of kernels, acquisitions, designs and rules
// come in as [Options]. All functions may be
// called concurrently. Malformed input never panics; a failure of the YAML
// library becomes a problem like any other.
package config

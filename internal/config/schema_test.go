package config

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// validator checks values against the part of JSON Schema draft-07 that the
// study file's schema uses; an unknown keyword is an error.
type validator struct{ root map[string]any }

func (v validator) check(s map[string]any, x any, at string) error {
	if r, ok := s["$ref"].(string); ok {
		def := v.root["definitions"].(map[string]any)[strings.TrimPrefix(r, "#/definitions/")]
		if def == nil {
			return fmt.Errorf("no definition %s", r)
		}
		return v.check(def.(map[string]any), x, at)
	}
	for key, arg := range s {
		var err error
		switch key {
		case "$schema", "title", "definitions", "description", "examples", "additionalProperties", "patternProperties":
		case "type":
			err = checkType(arg, x)
		case "const":
			if fmt.Sprint(arg) != fmt.Sprint(x) {
				err = fmt.Errorf("%v is not %v", x, arg)
			}
		case "enum":
			found := false
			for _, e := range arg.([]any) {
				found = found || reflect.DeepEqual(e, x)
			}
			if !found {
				err = fmt.Errorf("%v is none of %v", x, arg)
			}
		case "anyOf":
			for _, sub := range arg.([]any) {
				if err = v.check(sub.(map[string]any), x, at); err == nil {
					break
				}
			}
		case "required":
			for _, k := range arg.([]any) {
				if m, ok := x.(map[string]any); ok && m[k.(string)] == nil {
					err = fmt.Errorf("no %v", k)
				}
			}
		case "properties":
			err = v.properties(s, arg.(map[string]any), x, at)
		case "propertyNames":
			if m, ok := x.(map[string]any); ok {
				for k := range m {
					if err == nil {
						err = v.check(arg.(map[string]any), k, at)
					}
				}
			}
		case "items":
			if l, ok := x.([]any); ok {
				for i, e := range l {
					if err == nil {
						err = v.check(arg.(map[string]any), e, fmt.Sprintf("%s[%d]", at, i))
					}
				}
			}
		case "pattern":
			if t, ok := x.(string); ok && !regexp.MustCompile(arg.(string)).MatchString(t) {
				err = fmt.Errorf("%q does not match %v", t, arg)
			}
		case "minimum", "maximum", "exclusiveMinimum":
			if n, ok := asNumber(x); ok {
				b := arg.(float64)
				if key == "minimum" && n < b || key == "maximum" && n > b || key == "exclusiveMinimum" && n <= b {
					err = fmt.Errorf("%v is not within %s %v", x, key, b)
				}
			}
		case "minItems", "maxItems", "minProperties", "maxProperties":
			n := -1
			switch x := x.(type) {
			case []any:
				n = len(x)
			case map[string]any:
				n = len(x)
			}
			b := int(arg.(float64))
			if n >= 0 && (strings.HasPrefix(key, "min") && n < b || strings.HasPrefix(key, "max") && n > b) {
				err = fmt.Errorf("%d entries, %s %d", n, key, b)
			}
		default:
			err = fmt.Errorf("keyword %s is not known here", key)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
	}
	if _, ok := s["properties"]; !ok && s["additionalProperties"] != nil {
		return v.properties(s, nil, x, at)
	}
	return nil
}

func (v validator) properties(s, known map[string]any, x any, at string) error {
	m, ok := x.(map[string]any)
	if !ok {
		return nil
	}
	for k, value := range m {
		sub, ok := known[k].(map[string]any)
		if !ok {
			matched := false
			patterns, _ := s["patternProperties"].(map[string]any)
			for p := range patterns {
				matched = matched || regexp.MustCompile(p).MatchString(k)
			}
			if matched {
				continue
			}
			if s["additionalProperties"] == false {
				return fmt.Errorf("%s: no key %q", at, k)
			}
			if sub, ok = s["additionalProperties"].(map[string]any); !ok {
				continue
			}
		}
		if err := v.check(sub, value, at+"."+k); err != nil {
			return err
		}
	}
	return nil
}

func checkType(want, x any) error {
	kinds, ok := want.([]any)
	if !ok {
		kinds = []any{want}
	}
	n, isNumber := asNumber(x)
	for _, k := range kinds {
		ok := false
		switch k {
		case "object":
			_, ok = x.(map[string]any)
		case "array":
			_, ok = x.([]any)
		case "string":
			_, ok = x.(string)
		case "boolean":
			_, ok = x.(bool)
		case "number":
			ok = isNumber
		case "integer":
			ok = isNumber && n == math.Trunc(n)
		}
		if ok {
			return nil
		}
	}
	return fmt.Errorf("%v is not a %v", x, want)
}

func asNumber(x any) (float64, bool) {
	switch x := x.(type) {
	case int:
		return float64(x), true
	case uint64:
		return float64(x), true
	case float64:
		return x, true
	}
	return 0, false
}

// TestSchemaAcceptsWhatLoads checks the schema against every study file and
// every case of the messages that loads, and that it refuses misspelt keys.
func TestSchemaAcceptsWhatLoads(t *testing.T) {
	var root map[string]any
	if err := json.Unmarshal(Schema(), &root); err != nil {
		t.Fatal(err)
	}
	v := validator{root}
	validate := func(text string) error {
		var x any
		if err := yaml.Unmarshal([]byte(text), &x); err != nil {
			t.Fatal(err)
		}
		return v.check(root, x, "")
	}
	texts := map[string]string{"init": string(Init("x"))}
	for _, file := range studyFiles(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[file], texts[file+" printed"] = string(data), string(Print(load(t, file)))
	}
	refused := 0
	for _, archive := range []string{"yaml", "space", "conditions", "sections"} {
		_, sections := readArchive(t, "testdata/messages/"+archive+".txtar")
		for _, s := range sections {
			name, isCase := strings.CutSuffix(s.name, ".yaml")
			switch {
			case isCase && strings.HasPrefix(name, "ok"):
				texts[name] = complete(s.text)
			case isCase && (name == "unknown-key" || name == "unknown-key-nested" || name == "kernel"):
				if refused++; validate(complete(s.text)) == nil {
					t.Errorf("%s: accepted", name)
				}
			}
		}
	}
	if len(texts) < 40 || refused < 3 {
		t.Fatalf("%d files, %d refused", len(texts), refused)
	}
	for name, text := range texts {
		if err := validate(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

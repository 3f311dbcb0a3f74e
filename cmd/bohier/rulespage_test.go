package main

import (
	"bytes"
	"fmt"
	"regexp"
	"testing"

	"bohier/internal/policy"
)

// TestRulesPage holds that the page in the manual lists the rules of this program and says why each is what it is.
func TestRulesPage(t *testing.T) {
	const page = "../../docs/how-a-suggestion-is-chosen.md"
	got := mustRead(t, page)
	head, _, found := bytes.Cut(got, []byte("| rule | what it does |\n"))
	if !found {
		t.Fatalf("%s has no table of rules", page)
	}
	var b bytes.Buffer
	b.Write(head)
	b.WriteString("| rule | what it does |\n|---|---|\n")
	for _, rule := range policy.Rules() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", rule.Name, rule.Doc)
	}
	goldenFile(t, page, b.Bytes())
	for _, rule := range policy.Rules() { // a paragraph, whose head names the rule, says why
		if !regexp.MustCompile("(?m)^\\*\\*[^*]*`" + regexp.QuoteMeta(rule.Name) + "`[^*]*\\*\\*").Match(head) {
			t.Errorf("%s does not say why there is %s", page, rule.Name)
		}
	}
}

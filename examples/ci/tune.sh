#!/bin/sh
# One job of continuous integration, whichever: tune for a while, show what came out, and
# fail (exit 10) when the best, measured again, is worse than the committed baseline.
set -eu
bohier=${BOHIER:-bohier}
# Values of another commit are learnt from, and are not the best before they are measured again.
export BOHIER_CONTEXT="${GITHUB_SHA:-${CI_COMMIT_SHA:-}}"
summary=${GITHUB_STEP_SUMMARY:-summary.md}

"$bohier" check -o "${CHECK_FORMAT:-text}"
rc=0
"$bohier" run -q --for "${BUDGET:-20m}" >/dev/null || rc=$? # the end of the time is none of the failures
"$bohier" journal verify
"$bohier" report >>"$summary"
"$bohier" report --out report.html
[ "$rc" -eq 0 ] || exit "$rc"
"$bohier" gate --baseline baseline.json --margin 0.5% -o junit >gate.xml || rc=$?
cat gate.xml
exit "$rc"

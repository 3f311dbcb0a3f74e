#!/bin/sh
# The log of the first days, as commands. Each could be typed by somebody else, on another
# day: the journal remembers.
set -eu
cd "$(dirname "$0")"
bohier=${BOHIER:-bohier}

# Before bohier came: what the notebook says.
"$bohier" add --csv earlier.csv

# Monday: two experiments for the two flasks.
"$bohier" suggest -n 2 -o table
set -- $("$bohier" trials --state pending -o id)
"$bohier" observe "$1" yield_percent=47.2 impurity_percent=1.4 --note "flask A"
# The thermostat of flask B had drifted: say what was really run.
"$bohier" observe "$2" yield_percent=33.9 impurity_percent=1.2 --actual temperature_C=65 --note "flask B, thermostat drifted"

# Tuesday: an idea of our own first, then one suggestion with the solvent we have left.
"$bohier" enqueue temperature_C=85 catalyst=Pd solvent=toluene
"$bohier" suggest -o table
set -- $("$bohier" trials --state pending -o id)
"$bohier" observe "$1" yield_percent=61.0 impurity_percent=1.7
"$bohier" suggest --fix solvent=ethanol -o table
set -- $("$bohier" trials --state pending -o id)
# Spilt: nothing learnt of the configuration.
"$bohier" observe "$1" --fail transient --note "flask broke"

# Wednesday: yesterday's value was misread, and the best was measured once more.
best=$("$bohier" best -o id)
"$bohier" observe "$best" yield_percent=60.0 impurity_percent=1.7 --replace
"$bohier" observe "$best" yield_percent=62.5 impurity_percent=1.6 --replicate --key wednesday-1
"$bohier" status
"$bohier" export csv:lab.csv        # for the spreadsheet

#!/bin/sh
# reports.sh TESTS REPORTS: every number of the reports stands in the name of a test, or in reports.txt with its reason.
# Skipped (77) where the reports are not.
set -eu
tests=$1 reports=$2 list=$1/unit/reports.txt
[ -e "$reports" ] || { echo "skipped: there is no $reports"; exit 77; }
numbers() { grep -oE '\b[BRT][0-9]{2,3}\b' | sort -u; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

grep -oE '^\| *[BRT][0-9]+ *\|' "$reports" | numbers >"$work/wanted"
{ # the tables of tests in C, the first lines of what is said about tests in Python
    grep -rhoE --include='*.c' '^ *(static const struct unit_test tests\[\] = \{)?\{"[^"]*"' "$tests"
    grep -rhoE --include='*.py' '"""[^"]*' "$tests"
} | numbers >"$work/named"
grep -v '^#' "$list" | cut -d' ' -f1 | numbers >"$work/listed"
sort -u "$work/named" "$work/listed" >"$work/known"

complain() { [ -z "$1" ] || { echo "$2: $(echo "$1" | tr '\n' ' ')"; failed=yes; }; }
failed=
complain "$(comm -23 "$work/wanted" "$work/known")" "neither a test's name nor reports.txt has"
complain "$(comm -12 "$work/named" "$work/listed")" "reports.txt excuses what a test bears in its name"
complain "$(comm -13 "$work/wanted" "$work/listed")" "reports.txt excuses what was never reported"
for file in $(grep -v '^#' "$list" | grep -oE '(tests|core)/[a-z_/]*\.(c|sh|py)' | sort -u); do
    [ -e "$tests/../$file" ] || complain "$file" "reports.txt names a file that is not there"
done
echo "$(wc -l <"$work/wanted") numbers, $(comm -12 "$work/wanted" "$work/named" | wc -l) in names of tests, $(wc -l <"$work/listed") excused"
[ -z "$failed" ]

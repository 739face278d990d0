#!/bin/sh
# large.sh BUILD - an answer that would be too large is refused before it is made, and says how it is had.
set -u
build=$1
folder=$(mktemp -d "${TMPDIR:-/tmp}/aisp-large-XXXXXX")
trap 'rm -rf "$folder"' EXIT
unset AISP_STORE
"$build/dashboard-large_store" "$folder/artifacts" 2 || exit 1
export_all() { "$build/aisp" bench export --all --format json "$@" --artifacts-dir "$folder/artifacts" 2>"$folder/said"; }
export_all --json >"$folder/value" && { echo "50,000 results in one value"; exit 1; }
grep -q 'over 16 MiB in one value: take it in parts' "$folder/said" || { cat "$folder/said"; exit 1; }
# A part, and the whole as lines, are had.
export_all --limit 5000 --json | grep -q '"n_results": 5000,' || { cat "$folder/said"; exit 1; }
n=$(export_all | wc -l)
[ "$n" = 50000 ] || { echo "$n lines"; exit 1; }

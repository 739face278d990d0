#!/bin/sh
# run.sh BUILD - the official TypeScript SDKs against the built server. What they are is fetched by npm into BUILD/mcp-sdk, once.
# Without node, npm or a registry nothing is tested: it says so, and ends with 77.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
skip() { echo "SKIPPED: $*; the official SDKs were not run"; exit 77; }

command -v node >/dev/null 2>&1 || skip "no node"
command -v npm >/dev/null 2>&1 || skip "no npm"
major=$(node -p 'process.versions.node.split(".")[0]')
[ "$major" -ge 20 ] || skip "node $major is older than 20"
mkdir -p "$build/mcp-sdk"
cd "$build/mcp-sdk"
cp "$here"/*.mjs .
if ! cmp -s "$here/package.json" installed.json; then
    cp "$here/package.json" .
    npm install --no-audit --no-fund --no-package-lock --fetch-retries=1 --loglevel=error >npm.log 2>&1 ||
        { tail -n 3 npm.log; skip "npm could not install them"; }
    cp package.json installed.json
fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/aisp-mcp-XXXXXX")
trap 'rm -rf "$folder"' EXIT
unset AISP_STORE
"$build/aisp" store import "$here/../../recorded/screen/store.jsonl" --artifacts-dir "$folder/artifacts" >/dev/null 2>&1
mkdir -p "$folder/chapters/ch01"
for script in legacy modern http; do
    AISP_BUILD="$build" AISP_FOLDER="$folder" AISP_TESTS="$here/.." timeout 900 node --test --test-reporter=spec "$script.mjs"
done

#!/bin/sh
# run.sh BUILD - /api/v1/openapi.json against the official schema. The validator is fetched by npm into BUILD/dashboard-openapi, once.
# Without node, npm or a registry nothing is tested: it says so, and ends with 77.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
skip() { echo "SKIPPED: $*; the description was not validated"; exit 77; }

command -v node >/dev/null 2>&1 || skip "no node"
command -v npm >/dev/null 2>&1 || skip "no npm"
mkdir -p "$build/dashboard-openapi"
cp "$here"/package.json "$here"/validate.mjs "$build/dashboard-openapi/"
cd "$build/dashboard-openapi"
[ -d node_modules/@seriousme/openapi-schema-validator ] ||
    npm install --no-audit --no-fund --no-package-lock --loglevel=error >npm.log 2>&1 ||
    { tail -3 npm.log; skip "npm could not install it"; }

"$build/aisp" dashboard serve --port 0 --artifacts-dir nothing 2>said &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
until grep -q http:// said || ! kill -0 $server 2>/dev/null; do sleep 0.05; done
url=$(sed -n 's|^\(http://[^/]*\)/.*|\1|p' said)
node -e 'fetch(process.argv[1] + "/api/v1/openapi.json").then((r) => r.text()).then((t) => require("fs").writeFileSync("openapi.json", t))' "$url"
node validate.mjs openapi.json

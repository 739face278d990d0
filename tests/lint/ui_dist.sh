#!/bin/sh
# ui_dist.sh - dashboard/ui/dist is what dashboard/ui/src makes, as far as hashes can say without Node: nobody has changed a source
# and forgotten to build, and the page that is built into aisp is small.
set -eu
cd "$(dirname "$0")/../../dashboard/ui"
limit=204800

sha256sum --check --quiet dist/SHA256SUMS || {
    echo "dashboard/ui: a source or dist/index.html changed since it was built; cd dashboard/ui && npm install && npm run build" >&2
    exit 1
}
# A source that is not in the list was added since.
find src build.mjs package.json dist/index.html -type f | LC_ALL=C sort >"${TMPDIR:-/tmp}/ui_dist.$$"
trap 'rm -f "${TMPDIR:-/tmp}/ui_dist.$$"' EXIT
cut -c 67- dist/SHA256SUMS | LC_ALL=C sort | diff - "${TMPDIR:-/tmp}/ui_dist.$$" || {
    echo "dashboard/ui: the list of sources in dist/SHA256SUMS is not that of src/; build again" >&2
    exit 1
}
size=$(gzip -9 -c dist/index.html | wc -c)
[ "$size" -le $limit ] || { echo "dashboard/ui/dist/index.html: $size bytes in gzip, $limit are allowed" >&2; exit 1; }
# Every library that is in it has its licence beside it, in the version that was pinned; nothing is fetched at run time.
for name in preact htm uPlot; do
    [ -s "LICENSES/$name.txt" ] || { echo "dashboard/ui/LICENSES/$name.txt is missing" >&2; exit 1; }
done
! grep -Eq '"(dependencies|devDependencies)".*"[\^~*]' package.json || { echo "dashboard/ui/package.json: versions are exact" >&2; exit 1; }
! grep -rn 'innerHTML\|outerHTML\|insertAdjacentHTML\|dangerouslySet' src || { echo "dashboard/ui/src: data is text, never markup" >&2; exit 1; }

#!/bin/sh
# compile.sh CC CXX INCLUDE - each public header compiles alone, without a warning, as C11, C17 and C++17; and a plug-in in any
# of them exports what is looked for. CXX may be empty: then C alone.
set -eu
cc=$1; cxx=$2; include=$3
cd "$(dirname "$0")"
made=$(mktemp)
trap 'rm -f "$made"' EXIT
bad=0
n=0

# each COMPILER LANGUAGE STANDARD
each() {
    warnings="-Wall -Wextra -Wpedantic -Wshadow -Werror"
    for header in "$include"/aisp/*.h; do
        n=$((n + 1))
        echo "#include <aisp/$(basename "$header")>" |
            $1 -x "$2" -std="$3" $warnings -I "$include" -fsyntax-only - || { echo "$header: not clean as $3"; bad=1; }
    done
    $1 -x "$2" -std="$3" $warnings -I "$include" -shared -fPIC -o "$made" plugin.c ||
        { echo "plugin.c: not clean as $3"; bad=1; return; }
    for symbol in aisp_problem aisp_variant; do
        nm -D --defined-only "$made" | grep -q " [RDB] $symbol\$" || { echo "$symbol is not exported as $3"; bad=1; }
    done
}
each "$cc" c c11
each "$cc" c c17
[ -z "$cxx" ] || each "$cxx" c++ c++17
[ $n -ge 6 ] || { echo "only $n headers compiled"; bad=1; }
exit $bad

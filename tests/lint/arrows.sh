#!/bin/sh
# Arrows point down. The build's include folders enforce it; this says it in words, and catches what a relative path could reach.
set -eu
cd "$(dirname "$0")/../.."
bad=0

# sees FOLDER ALLOWED...: no quoted include of FOLDER's files may begin with anything else.
sees() {
    folder=$1; shift
    [ -d "$folder" ] || return 0
    allowed=$(echo "$folder $*" | tr ' ' '|')
    grep -rnE '^#include "' "$folder" --include='*.[ch]' --include='*.cu' --include='*.cuh' | grep -vE "#include \"($allowed)/" | grep -vE '#include "[a-z0-9_]+\.(h|cuh)"' &&
        { echo "^ $folder may include: $allowed"; bad=1; }
    return 0
}
sees core
sees checks core
sees store core checks
sees sandbox core
sees jail sandbox
sees analysis core checks store
sees doctor core
sees commands core checks store sandbox analysis doctor
sees cli core commands
sees doors core commands
sees tui core commands doors
sees dashboard core commands doors
sees mcp core commands doors
sees api core commands backends
sees backends core
sees worker core backends   # the driver's calls
sees judge_cuda core backends
sees peak_cuda core backends
sees recorder_cuda core backends
sees plain core backends
sees kit
sees chapters kit
sees labs kit
sees harness

# tests/attacks does what must not be done.
grep -rnE '^#include "[^"]*\.\./' --include='*.[ch]' --include='*.cu' --exclude-dir=attacks . &&
    { echo '^ no "../" in includes'; bad=1; }
exit $bad

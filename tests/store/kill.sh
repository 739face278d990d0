#!/bin/sh
# kill.sh BUILD [--kills N] [--seed S] - writers of the store are killed at N random moments (20) on each engine; kill.c says
# what must hold after each. The shared store is left out, with a word, where PostgreSQL's server programs are not installed.
set -u

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd) || exit 2
shift
kills=20 seed=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
while [ $# -gt 1 ]; do
    case $1 in
    --kills) kills=$2 ;;
    --seed) seed=$2 ;;
    *) echo "usage: kill.sh BUILD [--kills N] [--seed S]" >&2; exit 2 ;;
    esac
    shift 2
done
. "$here/server.sh"
unset AISP_STORE
temporary=$(mktemp -d "${TMPDIR:-/tmp}/aisp-kill-XXXXXX") || exit 2
readonly temporary
chmod 711 "$temporary"
server=
trap '[ -z "$server" ] || server_stop; rm -rf "$temporary"' EXIT
trap 'exit 130' INT TERM

echo "seed $seed"
failed=0
study() {
    for writer in run update import migrate; do
        [ -z "${SERVER:-}" ] || { sql postgres "CREATE DATABASE $writer"; export AISP_STORE="$SERVER/$writer"; }
        "$build/store_kill" $writer "$temporary/$1-$writer" $(((kills + 3) / 4)) "$seed" || failed=1
    done
}
echo "== the embedded store"
study embedded
if server_programs; then
    echo "== the shared store"
    server_start "$temporary/server" && study shared || failed=1
else
    echo "the shared store was left out: PostgreSQL's server programs are not installed"
fi
exit $failed

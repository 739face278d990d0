# server.sh - a PostgreSQL server that lives as long as a test: in a folder of its own, on a socket there and no port.
# Sourced by the scripts. server_start FOLDER sets SERVER (a URL without a database); server_stop ends it.
# As root it runs as postgres or nobody, since the server refuses root. Texts sort as in a dictionary there, unless a column
# says otherwise: what relies on that shows.

# server_programs - sets $programs, where initdb and postgres are; fails where they are not installed
server_programs() {
    programs=
    for server_bin in "$(dirname "$(command -v initdb 2>/dev/null || echo /none/initdb)")" /usr/lib/postgresql/*/bin; do
        if [ -x "$server_bin/initdb" ] && [ -x "$server_bin/postgres" ]; then programs=$server_bin; fi
    done
    [ -n "$programs" ]
}

# as_server COMMAND... - as the user that the server runs as
as_server() {
    if [ "$(id -u)" -ne 0 ]; then "$@"
    elif id postgres >/dev/null 2>&1; then runuser -u postgres -- "$@"
    else runuser -u nobody -- "$@"; fi
}

server_start() {
    server=$1
    mkdir -p "$server"
    [ "$(id -u)" -ne 0 ] || chown "$(as_server id -u)" "$server"
    (cd "$server" && as_server "$programs/initdb" -D "$server/data" -N -A trust -U aisp -E UTF8 --locale=C \
        --locale-provider=icu --icu-locale=en) >"$server.log" 2>&1 || { tail -5 "$server.log"; return 1; }
    printf 'local all guarded,closed scram-sha-256\nlocal all all trust\n' | as_server tee "$server/data/pg_hba.conf" >/dev/null
    (cd "$server" && exec_server) || return 1
    SERVER="postgresql://aisp@$(printf %s "$server" | sed 's|/|%2F|g')"
}

# Again, if it was stopped before.
exec_server() {
    as_server "$programs/pg_ctl" -D "$server/data" -w -t 60 -l "$server/server.log" -o "-c listen_addresses= \
-c unix_socket_directories=$server -c fsync=off -c max_connections=40 -c shared_buffers=16MB" start >/dev/null || {
        tail -5 "$server/server.log"
        return 1
    }
}

server_stop() { (cd "$server" && as_server "$programs/pg_ctl" -D "$server/data" -m "${1:-immediate}" stop) >/dev/null 2>&1; }

# sql DATABASE STATEMENT
sql() { "$programs/psql" -X -q -A -t -v ON_ERROR_STOP=1 "$SERVER/$1" -c "$2"; }

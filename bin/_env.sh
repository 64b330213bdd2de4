# shellcheck shell=sh
# Shared by the commands beside it: where the clone is, which Python runs it, and its virtual environment.
# Whatever is said here goes to standard error, so that a command's own output can be piped.

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
python=$root/.venv/bin/python

case "${RACKWRIGHT_DATA:=$root/data}" in
    /*) ;;
    *) RACKWRIGHT_DATA=$PWD/$RACKWRIGHT_DATA ;;
esac
NUMBA_CACHE_DIR=${NUMBA_CACHE_DIR:-$RACKWRIGHT_DATA/numba}
export RACKWRIGHT_DATA NUMBA_CACHE_DIR

die() {
    printf '%s\n' "$*" >&2
    exit 1
}

is_recent_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

can_make_environments() {
    command -v uv >/dev/null 2>&1 || "$1" -c 'import ensurepip, venv' >/dev/null 2>&1
}

find_python() {
    without_venv=
    for name in python3.14 python3.13 python3.12 python3.11 python3; do
        is_recent_enough "$name" || continue
        if can_make_environments "$name"; then
            printf '%s\n' "$name"
            return
        fi
        without_venv=${without_venv:-$name}
    done
    [ -z "$without_venv" ] || die "$without_venv has no venv module with pip (ensurepip): install it" \
        "(on Debian and Ubuntu: apt-get install python3-venv), or put uv on the PATH."
    die "Rackwright needs Python 3.11 or newer, and none was found on the PATH."
}

# make_environment runtime|dev [--port N]: a finished .venv is only looked at, anything else is made or repaired.
make_environment() {
    if is_recent_enough "$python"; then
        status=0
        "$python" "$root/bin/_install.py" --check "$@" || status=$?
        [ "$status" -ne 0 ] || return 0
        [ "$status" -eq 3 ] || exit "$status"
    fi
    base=$(find_python)
    "$base" "$root/bin/_install.py" "$@" || exit $?
}

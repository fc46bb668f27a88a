# Sourced by the scripts beside it, not run: finds Python, makes the virtual environment, installs once.
#
# PYTHON  the Python to make the environment with (python3)
# VENV    where the environment lies or shall lie (.venv in the project's folder)

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
venv="${VENV:-$root/.venv}"

fail() {
    echo "$(basename "$0"): $*" >&2
    exit 2
}

# Ends the script with one clear line unless $1 is a Python of at least 3.10.
check_python() {
    command -v "$1" >/dev/null || fail "'$1' not found; install Python 3.10 or newer, or set PYTHON=/path/to/python3"
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
        fail "ocrlstm needs Python 3.10 or newer, '$1' is $("$1" -V 2>&1); set PYTHON=/path/to/python3"
}

make_environment() {
    if [ ! -x "$venv/bin/python" ]; then
        local python="${PYTHON:-python3}"
        check_python "$python"
        echo "making the virtual environment $venv" >&2
        "$python" -m venv "$venv" >&2 ||
            fail "could not make $venv (on Debian and Ubuntu: apt-get install python3-venv)"
    fi
    check_python "$venv/bin/python"
}

# Whether what the extras named need is there already: someone may have installed it in another way.
can_import() {
    local extra modules=(ocrlstm numpy numba scipy PIL click threadpoolctl safetensors rapidfuzz rich regex)
    for extra in "$@"; do
        case "$extra" in
            test) modules+=(pytest xdist hypothesis) ;;
            oracle) modules+=(torch) ;;
            dev) modules+=(ruff mypy pre_commit) ;;
        esac
    done
    (cd "$root" && "$venv/bin/python" -c 'import sys; from importlib.util import find_spec
sys.exit(any(find_spec(name) is None for name in sys.argv[1:]))' "${modules[@]}")
}

# install [EXTRA...]: the project with these extras, editable. A stamp for each extra holds the checksum
# of what was installed, so pip is asked only when something is new.
install() {
    make_environment
    local sum extra missing=() stamps="$venv/.ocrlstm"
    sum="$root $(cat "$root/pyproject.toml" "$root/setup.py" | cksum)"
    for extra in base "$@"; do
        [ "$(cat "$stamps/$extra" 2>/dev/null)" = "$sum" ] || missing+=("$extra")
    done
    [ ${#missing[@]} -gt 0 ] || return 0

    local extras
    extras="$(IFS=,; echo "$*")"
    echo "installing ocrlstm${extras:+ [$extras]} into $venv" >&2
    if ! "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
        --editable "$root${extras:+[$extras]}" >&2; then
        can_import "$@" || fail "pip could not install ocrlstm${extras:+ [$extras]}; the lines above tell why"
        echo "pip failed, but all that is needed is installed: going on with it" >&2
        return 0
    fi
    mkdir -p "$stamps"
    for extra in base "$@"; do
        echo "$sum" >"$stamps/$extra"
    done
}

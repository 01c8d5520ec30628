# Sourced by the scripts of this project; expects bash with `set -euo pipefail`.

# One line of talk on standard error.
say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

# die CODE MESSAGE
die() {
  local code=$1
  shift
  say "$*"
  exit "$code"
}

# Compilers to run at once: one a CPU, but each may need 1 GB where gRPC's headers come in.
build_jobs() {
  local cpus gigabytes jobs
  cpus=$(nproc)
  gigabytes=$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo)
  jobs=$((cpus < gigabytes ? cpus : gigabytes))
  echo $((jobs > 0 ? jobs : 1))
}

# Tools keep their caches below HOME; a bare environment gets one inside the checkout.
ensure_home() {
  if [ -z "${HOME:-}" ] || [ ! -w "${HOME:-}" ]; then
    export HOME="$1/build/home"
    mkdir -p "$HOME"
  fi
}

#!/bin/sh
# Install this clone and the extras named as arguments into .venv, with the versions of constraints.txt.
# The machine's own pip settings decide where packages come from.
set -eu

python=${PYTHON:-python3}
log=.venv/install.log

say() {
    printf '%s\n' "$@" >&2
}

if ! command -v "$python" >/dev/null 2>&1 || ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    say "Paravent demande Python 3.11 ou plus récent ; « $python » ne l'est pas. Essayez : make PYTHON=python3.12 …" \
        "Paravent needs Python 3.11 or newer; \"$python\" is not. Try: make PYTHON=python3.12 …"
    exit 1
fi

if ! .venv/bin/python -c '' >/dev/null 2>&1; then
    if ! "$python" -m venv --clear .venv; then
        say "L'environnement .venv n'a pas pu être créé : le module venv de Python manque (paquet python3-venv ?)." \
            "The .venv environment could not be made: Python's venv module is missing (package python3-venv?)."
        exit 1
    fi
fi

extras=$(echo "$*" | tr ' ' ',')
say "Installation dans .venv, une seule fois… / Installing into .venv, once…"
if .venv/bin/python -m pip install --disable-pip-version-check -c constraints.txt -e ".${extras:+[$extras]}" >"$log" 2>&1
then
    exit 0
fi

if grep -qE 'No matching distribution|Could not find a version|onnection|timed out|name resolution' "$log"; then
    missing=$(.venv/bin/python tools/missing.py "$@")
    say "Il manque $missing : il faut le réseau une fois pour les installer (détails : $log)." \
        "Missing: $missing. A network is needed once to install them (details: $log)."
else
    tail -n 20 "$log" >&2
    say "L'installation a échoué ; tout est dans $log." "The installation failed; all of it is in $log."
fi
exit 1

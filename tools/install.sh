#!/bin/sh
# Install this clone and the extras named as arguments into .venv, with the versions of constraints.txt.
# The machine's own pip settings decide where packages come from; where that is, is neither shown nor kept.
set -eu

python=${PYTHON:-python3}
log=.venv/install.log
ended=.venv/install.ended

say() {
    printf '%s\n' "$@" >&2
}

# How far it is: on a terminal one line that is written anew, otherwise a line each.
shows() {
    if [ -t 2 ]; then printf '\r\033[K  %s' "$1" >&2; else say "  $1"; fi
}

# pip says nothing while it lays the packages down: on a terminal, those that are there are counted meanwhile.
counts() {
    before=$(laid)
    while [ -t 2 ] && [ ! -e "$ended" ]; do
        shows "$(($(laid) - before)) / $1"
        sleep 1
    done
}

laid() {
    find .venv/lib/python*/site-packages -name '*.dist-info' -prune 2>/dev/null | wc -l
}

# What pip says: into the log without any address, and as progress for whoever waits.
follows() {
    while IFS= read -r line; do
        case $line in
            "Looking in "*) continue ;;
            *http://* | *https://*)
                line=${line%%http://*}
                line="${line%%https://*}…" ;;
        esac
        printf '%s\n' "$line" >>"$log"
        case $line in
            *"Installing build dependencies"*) shows "hatchling" ;;
            "Collecting "*)
                line=${line#Collecting }
                shows "${line%%[ <>=!~;[(]*}" ;;
            "Installing collected packages: "*)
                line=${line#*: }
                n=$(printf '%s\n' "$line" | tr ',' '\n' | wc -l)
                shows "$((n)) paquets / packages…"
                counts "$((n))" & ;;
        esac
    done
    wait
}

if ! command -v "$python" >/dev/null 2>&1 || ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    say "Paravent demande Python 3.11 ou plus récent ; « $python » ne l'est pas. Essayez : make PYTHON=python3.12 …" \
        "Paravent needs Python 3.11 or newer; \"$python\" is not. Try: make PYTHON=python3.12 …"
    exit 1
fi

say "Installation dans .venv, une seule fois… / Installing into .venv, once…"
if ! .venv/bin/python -c '' >/dev/null 2>&1; then
    shows "Python"
    if ! "$python" -m venv --clear .venv; then
        say "L'environnement .venv n'a pas pu être créé : le module venv de Python manque (paquet python3-venv ?)." \
            "The .venv environment could not be made: Python's venv module is missing (package python3-venv?)."
        exit 1
    fi
fi

extras=$(echo "$*" | tr ' ' ',')
: >"$log"
rm -f "$ended"
{
    .venv/bin/python -m pip install --disable-pip-version-check -c constraints.txt -e ".${extras:+[$extras]}" 2>&1 \
        && how=0 || how=$?
    echo "$how" >"$ended"
} | follows
how=$(cat "$ended")
rm -f "$ended"
if [ -t 2 ]; then printf '\r\033[K' >&2; fi
if [ "$how" = 0 ]; then
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

#!/bin/sh
# Write constraints.txt from a fresh installation of everything: the versions tested together.
set -eu

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
"${PYTHON:-python3}" -m venv "$fresh"
"$fresh/bin/pip" install --quiet --disable-pip-version-check -e '.[dev,bench]'
{
    echo "# The versions we tested together. Made by \`make constraints\`; used with pip's -c."
    "$fresh/bin/pip" list --format=freeze --exclude-editable --exclude pip --exclude setuptools | LC_ALL=C sort -f
} >"$fresh/constraints.txt"
mv "$fresh/constraints.txt" constraints.txt

#!/usr/bin/env bash
# Runs once, when Gradescope builds the autograder.
set -euo pipefail
apt-get update
apt-get install -y python3 python3-venv
python3 -m venv /autograder/studyattn
/autograder/studyattn/bin/python -m pip install "studyattn[torch,class]"

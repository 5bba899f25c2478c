#!/bin/sh
# Installs the languages of the course. Leave out what nobody uses.
set -eu
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3 g++ make nodejs default-jdk-headless golang-go

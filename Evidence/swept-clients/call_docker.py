"""The version and the volumes of a Docker engine."""

import os
import sys

import docker
import requests

try:
    client = docker.DockerClient(base_url=os.environ["UNDERSTUDY_BASE_URL"], version="1.56", timeout=5)
    print(client.version().get("Version"), [volume.name for volume in client.volumes.list()])
except (docker.errors.DockerException, requests.RequestException) as error:
    # The documentation names both: the second for connections.
    print(type(error).__name__, error, file=sys.stderr)
    sys.exit(3)

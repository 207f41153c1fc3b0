"""A repository and a user of GitHub."""

import os
import sys

import github
import requests

try:
    url = os.environ["UNDERSTUDY_BASE_URL"]
    client = github.Github(base_url=url, auth=github.Auth.Token("token"), retry=None, timeout=5)
    repository = client.get_repo("octocat/Hello-World")
    print(repository.full_name, repository.created_at, client.get_user("octocat").login)
except (github.GithubException, requests.RequestException) as error:
    # The documentation names both: the second for connections.
    print(type(error).__name__, error, file=sys.stderr)
    sys.exit(3)

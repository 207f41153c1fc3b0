#!/usr/bin/env python3
"""The Homebrew formula: formula.py --version VERSION --sources FILE. It builds from source; `brew bottle` makes bottles."""
import argparse, hashlib, pathlib

from archive import repository

FORMULA = '''\
class Understudy < Formula
  desc "Mock server and contract tester for HTTP APIs"
  homepage "https://github.com/{repository}"
  url "https://github.com/{repository}/releases/download/v{version}/understudy-{version}.tar.gz"
  sha256 "{digest}"
  license "Apache-2.0"
  head "https://github.com/{repository}.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "brotli"
  depends_on "libyaml"
  depends_on macos: :sequoia
  depends_on "openssl@3"
  depends_on "pcre2"

  uses_from_macos "swift" => :build, since: :tahoe
  uses_from_macos "curl"
  uses_from_macos "expat"
  uses_from_macos "sqlite"

  on_linux do
    depends_on "zlib"
  end

  def install
    # Homebrew has its own sandbox, and its libraries are there already.
    system "make", "program", "TRAITS=TLS", "PLAN=--disable-sandbox"
    system "Scripts/install", ".build/release/understudy", prefix
  end

  test do
    (testpath/"api.yaml").write <<~YAML
      openapi: 3.1.0
      info: {{title: Ping, version: "1"}}
      paths:
        /ping:
          get:
            operationId: ping
            responses:
              "204": {{description: Alive.}}
    YAML
    assert_match version.to_s, shell_output("#{{bin}}/understudy --version")
    system bin/"understudy", "verify", "api.yaml"
    system bin/"understudy", "run", "api.yaml", "--", "sh", "-c", "curl -sf $UNDERSTUDY_BASE_URL/ping"
  end
end
'''

parser = argparse.ArgumentParser()
parser.add_argument("--version", required=True)
parser.add_argument("--sources", type=pathlib.Path, required=True)
options = parser.parse_args()
digest = hashlib.sha256(options.sources.read_bytes()).hexdigest()
print(FORMULA.format(version=options.version, digest=digest, repository=repository()), end="")

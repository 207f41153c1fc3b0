import Foundation
import Testing
import UnderstudyTestSupport

/// What only a Mac does otherwise, as far as Linux can show it.
struct MacTests {
  @Test(arguments: [
    (
      ["helper", "--test-bundle-path", "/a/debug/PackageTests.xctest/Contents/MacOS/PackageTests"],
      "/a/debug/PackageTests.xctest"
    ),
    (["helper", "--test-bundle-path", "/a/debug/PackageTests.xctest"], "/a/debug/PackageTests.xctest"),
    (["helper", "--test-bundle-path"], nil), (["/a/debug/PackageTests.xctest"], nil),
  ])
  func `the bundle of the tests is that of the toolchain's helper`(_ arguments: [String], _ bundle: String?) {
    #expect(Command.bundle(of: arguments) == bundle)
  }

  @Test func `a server that is stopped twice closes its socket once`() throws {
    let server = try RawServer { _, _ in "" }
    server.stop()
    // It gets the number of a socket that is closed.
    let other = try RawServer { connection, _ in
      try connection.send("here"); return ""
    }
    server.stop()
    #expect(try RawClient(port: other.port).bytes(4) == "here")
  }

  /// `uname` of macOS, a Homebrew without its libraries, and a pkg-config that looks where it is told to.
  private static let tools = [
    "bin/uname": "#!/bin/sh\necho Darwin\n",
    "bin/brew": """
    #!/bin/sh
    [ "$1" = --prefix ] && echo "$PWD/$2" && exit
    echo "$@" >>installed
    touch present

    """,
    "bin/pkg-config": """
    #!/bin/sh
    case $PKG_CONFIG_PATH in "$PWD/openssl@3/lib/pkgconfig:"*) [ -e present ] ;; *) exit 1 ;; esac

    """,
  ]

  @Test func `libraries that Homebrew has are not installed again`() throws {
    try withProject(Self.tools) { folder in
      for tool in Self.tools.keys { #expect(chmod("\(folder)/\(tool)", 0o755) == 0) }
      let path = ["PATH": "\(folder)/bin:/usr/bin:/bin"]
      for _ in 1...2 {
        let made = try Command.run(Project.path("Scripts/system-libraries"), [], in: folder, environment: path)
        #expect(made.code == 0, "\(made)")
      }
      let installed = try String(contentsOfFile: folder + "/installed", encoding: .utf8)
      #expect(installed == "install libyaml pcre2 brotli openssl@3 pkg-config\n")
    }
  }

  @Test func `a Mac without Homebrew is told to install it`() throws {
    let tools = Self.tools.filter { $0.key != "bin/brew" }
    try withProject(tools) { folder in
      for tool in tools.keys { #expect(chmod("\(folder)/\(tool)", 0o755) == 0) }
      let made = try Command.run(
        "/bin/sh", [Project.path("Scripts/system-libraries")], in: folder, environment: ["PATH": folder + "/bin"])
      #expect(made.code == 1)
      #expect(made.error.contains("help: install Homebrew (https://brew.sh)"), "\(made)")
    }
  }
}

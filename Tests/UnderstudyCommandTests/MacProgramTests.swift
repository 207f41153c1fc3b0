import Foundation
import Testing
import UnderstudyTestSupport

/// Programs for macOS in packages, with stand-ins for the tools of a Mac.
struct MacProgramTests {
  private static let span = "@rpath/libswiftCompatibilitySpan.dylib"
  private static let xcode = "/Applications/Xcode 26.app/Contents/Developer/usr/lib/swift-6.2/macosx"

  /// The tools read what a program links from the files `linked` and `places`.
  private static let tools = [
    "bin/uname": "echo Darwin",
    "bin/otool": #"""
    if [ "$1" = -L ]; then printf '%s:\n' "$2"; sed 's/.*/\t& (compatibility version 1.0.0)/' linked
    else sed 's/.*/          cmd LC_RPATH\n         path & (offset 12)/' places; fi
    """#,
    "bin/xcrun": #"echo "$PWD/toolchain/bin/swiftc""#,
    "bin/install_name_tool": #"echo "$@" >>changes"#,
    "bin/codesign": "",
  ]

  private static func run(
    _ script: String, linked: [String], places: [String], files: [String: String] = [:],
    _ body: (Command.Result, _ folder: String) throws -> Void
  ) throws {
    var all = ["package/bin/understudy": "", "linked": lines(linked), "places": lines(places)]
    for (name, text) in tools { all[name] = "#!/bin/sh\n\(text)\n" }
    try withProject(all.merging(files) { $1 }) { folder in
      for name in tools.keys { #expect(chmod("\(folder)/\(name)", 0o755) == 0) }
      let result = try Command.run(
        Project.path("Scripts/packaging/\(script)"), ["package/bin/understudy"], in: folder,
        environment: ["PATH": "\(folder)/bin:/usr/bin:/bin"])
      try body(result, folder)
    }
  }

  private static func lines(_ texts: [String]) -> String { texts.map { $0 + "\n" }.joined() }

  @Test func `a program gets the library of Swift that macOS 15 lacks, and looks into no Xcode`() throws {
    let library = "toolchain/lib/swift-6.2/macosx/libswiftCompatibilitySpan.dylib"
    try Self.run(
      "compatibility-library", linked: ["/usr/lib/libSystem.B.dylib", Self.span],
      places: ["/usr/lib/swift", Self.xcode], files: ["toolchain/bin/swiftc": "", library: "span"]
    ) { (result, folder) throws in
      #expect(result.code == 0, "\(result)")
      let copy = "\(folder)/package/lib/understudy/libswiftCompatibilitySpan.dylib"
      #expect(try String(contentsOfFile: copy, encoding: .utf8) == "span")
      #expect(
        try String(contentsOfFile: folder + "/changes", encoding: .utf8) == """
          -delete_rpath /usr/lib/swift package/bin/understudy
          -delete_rpath \(Self.xcode) package/bin/understudy
          -add_rpath /usr/lib/swift -add_rpath @loader_path/../lib/understudy package/bin/understudy

          """)
    }
  }

  @Test func `a program without that library is left alone`() throws {
    try Self.run("compatibility-library", linked: ["/usr/lib/libSystem.B.dylib"], places: [Self.xcode]) {
      result, folder in
      #expect(result.code == 0, "\(result)")
      #expect(!FileManager.default.fileExists(atPath: folder + "/changes"))
      #expect(!FileManager.default.fileExists(atPath: folder + "/package/lib"))
    }
  }

  private static let beside = ["package/lib/understudy/libswiftCompatibilitySpan.dylib": ""]

  @Test(arguments: [
    (["/usr/lib/libSystem.B.dylib", span], ["/usr/lib/swift", "@loader_path/../lib/understudy"], true, ""),
    (
      ["/usr/lib/libSystem.B.dylib", span], ["/usr/lib/swift"], false,
      "error: it needs \(span), which is not beside it\n"
    ),
    (["/usr/lib/libSystem.B.dylib", span], [xcode], true, "error: it looks for libraries in \(xcode)\n"),
    (["/opt/homebrew/lib/libyaml.dylib"], [], true, "error: it needs /opt/homebrew/lib/libyaml.dylib\n"),
  ])
  func `a released program needs the system and the library beside it`(
    _ linked: [String], _ places: [String], _ isBeside: Bool, _ problems: String
  ) throws {
    try Self.run("check-program", linked: linked, places: places, files: isBeside ? Self.beside : [:]) { result, _ in
      #expect(result.error == problems)
      #expect(result.code == (problems.isEmpty ? 0 : 1))
    }
  }
}

import Foundation
import Testing
import UnderstudyTestSupport
import UnderstudyText

struct FileAccessTests {
  private func withFolders(_ body: (_ root: String, _ access: FileAccess) throws -> Void) throws {
    let files = ["project/api.yaml": "1", "project/parts/pet.yaml": "1", "project-2/a.yaml": "1", "other/b.yaml": "1"]
    try withProject(files) { root in
      var access = FileAccess.none
      access.allow(root + "/project")
      try body(root, access)
    }
  }

  @Test func `the tree of a folder is allowed, and its neighbours are not`() throws {
    try withFolders { root, access in
      for path in [
        "project", "project/api.yaml", "project/parts/pet.yaml", "project/missing.yaml", "other/../project/api.yaml",
      ] {
        #expect(access.allows("\(root)/\(path)"), "\(path)")
      }
      for path in [
        "project-2/a.yaml", "other/b.yaml", "project/../other/b.yaml", "missing.yaml", "project/parts/../../other/none",
      ] {
        #expect(!access.allows("\(root)/\(path)"), "\(path)")
      }
      #expect(!access.allows("/"))
      #expect(FileAccess.unlimited.allows("/"))
    }
  }

  @Test func `a link is where it leads to`() throws {
    try withFolders { root, access in
      try FileManager.default.createSymbolicLink(atPath: root + "/project/out", withDestinationPath: root + "/other")
      try FileManager.default.createSymbolicLink(
        atPath: root + "/project/b.yaml", withDestinationPath: "../other/b.yaml")
      try FileManager.default.createSymbolicLink(atPath: root + "/other/in", withDestinationPath: root + "/project")
      #expect(!access.allows(root + "/project/out/b.yaml"))
      #expect(!access.allows(root + "/project/out/missing.yaml"))
      #expect(!access.allows(root + "/project/b.yaml"))
      #expect(access.allows(root + "/other/in/api.yaml"))
    }
  }

  @Test func `a file that may not be read names the option that allows its folder`() throws {
    try withFolders { root, access in
      do throws(FileProblem) {
        _ = try FileSystem.read(root + "/other/b.yaml", within: access)
        Issue.record("it was read")
      } catch {
        #expect(error.kind == .outside)
        #expect(error.help == "copy it into the project, or allow its folder: `--allow-files \(root)/other`")
      }
    }
  }

  @Test func `a folder that is added is read`() throws {
    try withFolders { root, access in
      var access = access
      access.allow(root + "/other")
      let source = try FileSystem.read(root + "/other/b.yaml", within: access)
      #expect(source.bytes == [UInt8(ascii: "1")])
    }
  }

  @Test func `neither the root nor the home directory nor a folder between them is a project`() throws {
    var access = FileAccess.none
    var folder = try #require(ProcessInfo.processInfo.environment["HOME"].flatMap(FileSystem.realPath))
    let home = folder
    while folder != "/" {
      access.allowProject(folder)
      access.allowProject(folder + "/")
      folder = Path.folder(of: folder)
    }
    access.allowProject("/")
    #expect(access == .none)
    #expect(!access.allows(home + "/.ssh"))
    #expect(!access.allows("/etc/passwd"))
    for path in ["/none", home + "/none"] {
      #expect(access.problem(of: path)?.help == "copy it into the project", "\(path)")
    }
    access.allow("/")
    #expect(access.allows("/etc/passwd"))
  }

  @Test func `the folder of a file that a user names is a project, and the folder of a pipe is none`() throws {
    try withFolders { root, _ in
      var access = FileAccess.none
      access.allowProject(of: "/dev/stdin")
      #expect(access == .none)
      access.allowProject(of: root + "/project/api.yaml")
      #expect(access.allows(root + "/project/parts/pet.yaml"))
      #expect(!access.allows(root + "/other/b.yaml"))
    }
  }

  @Test func `a document at a URL names only what the user allows`() throws {
    try withFolders { root, _ in
      var access = FileAccess.none
      access.allowProject(root + "/project")
      access.allow(root + "/project-2", isShared: false)
      access.allow(root + "/other/b.yaml")
      let remote = access.available(to: "https://example.com/api.yaml")
      #expect(!remote.allows(root + "/project/api.yaml"))
      #expect(!remote.allows(root + "/project-2/a.yaml"))
      #expect(remote.allows(root + "/other/b.yaml"))
      #expect(!remote.allows(root + "/other"))
      #expect(
        remote.problem(of: root + "/project/api.yaml")?.help == """
          a document at a URL names no file of the project: use a URL, or allow its folder: `--allow-files \(root)/project`
          """)
      #expect(access.available(to: root + "/project/api.yaml") == access)
      #expect(FileAccess.unlimited.available(to: "https://example.com/api.yaml") == .unlimited)
    }
  }
}

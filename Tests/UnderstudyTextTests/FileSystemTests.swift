import Foundation
import Testing
import UnderstudyTestSupport
import UnderstudyText

struct FileSystemTests {
  private func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func problem(_ body: () throws(FileProblem) -> Void) -> FileProblem.Kind? {
    do {
      try body()
      return nil
    } catch {
      return error.kind
    }
  }

  @Test func `a file is read byte for byte and keeps its short path`() throws {
    try withTemporaryFolder { folder in
      try write("é\r\n", folder + "/a.yaml")
      try write("", folder + "/empty")
      let source = try FileSystem.read(folder + "/a.yaml", shownAs: "a.yaml")
      #expect(source.bytes == Array("é\r\n".utf8))
      #expect(source.path == "a.yaml")
      #expect(try FileSystem.read(folder + "/empty").bytes.isEmpty)
    }
  }

  /// Opened for reading, a pipe without a writer would block.
  @Test func `a pipe without a writer, a device and a loop of links are rejected without waiting`() throws {
    try withTemporaryFolder { folder in
      #expect(mkfifo(folder + "/pipe", 0o600) == 0)
      #expect(symlink(folder + "/pipe", folder + "/link") == 0)
      #expect(symlink(folder + "/loop", folder + "/loop") == 0)
      for path in [folder + "/pipe", folder + "/link", "/dev/null", "/dev/zero"] {
        #expect(problem { () throws(FileProblem) in _ = try FileSystem.read(path) } == .otherContent, "\(path)")
        #expect(problem { () throws(FileProblem) in _ = try LineReader(path) } == .otherContent, "\(path)")
        #expect(problem { () throws(FileProblem) in _ = try OpenFile(path) } == .otherContent, "\(path)")
      }
      #expect(problem { () throws(FileProblem) in _ = try FileSystem.read(folder + "/loop") } == .system)
      #expect(!FileSystem.exists(folder + "/loop"))
      #expect(FileSystem.isTaken(folder + "/loop"))
    }
  }

  @Test func `a pipe that a shell passes on is read to its end`() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { close(ends[0]) }
    FileHandle(fileDescriptor: ends[1]).write(Data("api: 1".utf8))
    close(ends[1])
    #expect(try FileSystem.read("/dev/fd/\(ends[0])").bytes == Array("api: 1".utf8))
  }

  @Test func `an unreadable file has a reason`() throws {
    try withTemporaryFolder { folder in
      try write("12345", folder + "/file")
      #expect(problem { () throws(FileProblem) in _ = try FileSystem.read(folder + "/none") } == .missing)
      #expect(problem { () throws(FileProblem) in _ = try FileSystem.read(folder) } == .isFolder)
      #expect(problem { () throws(FileProblem) in _ = try FileSystem.read(folder + "/file/x") } == .isNotFolder)
      #expect(problem { () throws(FileProblem) in _ = try FileSystem.list(folder + "/file") } == .isNotFolder)
      #expect(problem { () throws(FileProblem) in _ = try FileSystem.list(folder + "/none") } == .missing)
      #expect(
        problem { () throws(FileProblem) in _ = try FileSystem.read(folder + "/file", maximumBytes: 4) } == .tooLarge)
      #expect(problem { () throws(FileProblem) in _ = try FileSystem.read(folder + "/file", maximumBytes: 5) } == nil)
      // A device has no size and no end.
      let endless = open("/dev/zero", O_RDONLY)
      defer { close(endless) }
      let path = "/dev/fd/\(endless)"
      #expect(problem { () throws(FileProblem) in _ = try FileSystem.read(path, maximumBytes: 100_000) } == .tooLarge)
    }
  }

  @Test func `a folder is listed in byte order`() throws {
    try withTemporaryFolder { folder in
      for name in ["b", "a.json", "B", "10", "2", "é"] { try write("", folder + "/" + name) }
      try FileManager.default.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: false)
      let entries = try FileSystem.list(folder)
      #expect(entries.map(\.name) == ["10", "2", "B", "a.json", "b", "sub", "é"])
      #expect(entries.filter(\.isFolder).map(\.name) == ["sub"])
      #expect(FileSystem.exists(folder + "/sub") && !FileSystem.exists(folder + "/nope"))
    }
  }
}

import Foundation
import Testing
import UnderstudyTLS

struct QRCodeTests {
  private static let reader = "/usr/bin/zbarimg"
  private static let hasReader = FileManager.default.isExecutableFile(atPath: reader)

  /// The first and the last length of each version, and of a text with characters of several bytes.
  @Test(
    .enabled(if: hasReader, "skipped: no zbarimg"),
    arguments: [1, 14, 15, 26, 27, 42, 43, 62, 63, 84, 85, 106])
  func `a reader finds the text`(length: Int) throws {
    let text = String("http://192.168.1.20:4010/".prefix(length)).padding(
      toLength: length, withPad: "aZ9/-", startingAt: 0)
    let code = try #require(QRCode(text))
    #expect(try Self.read(code) == text)
  }

  @Test func `the version is the smallest that has room, and there is a longest text`() {
    #expect(
      [1, 14, 15, 42, 43, 62, 84, 106].map { QRCode(String(repeating: "a", count: $0))?.size } == [
        21, 21, 25, 29, 33, 33, 37, 41,
      ])
    #expect(QRCode(String(repeating: "a", count: 107)) == nil)
  }

  @Test func `a terminal shows two rows in a line, with a margin`() throws {
    let code = try #require(QRCode("http://a:1/"))
    let lines = code.text(isColored: false).split(separator: "\n")
    // 21 modules and 4 on each side.
    #expect(lines.count == 15 && lines.allSatisfy { $0.count == 29 })
    #expect(lines[0] == String(repeating: "█", count: 29))
    // The upper left finder, with its separator.
    #expect(
      lines[2...5].map { $0.dropFirst(4).prefix(8) }
        == [" ▄▄▄▄▄ █", " █   █ █", " █▄▄▄█ █", "▄▄▄▄▄▄▄█"].map { $0[...] },
      "\(code.text(isColored: false))")
    #expect(code.text(isColored: true).hasPrefix("\u{1B}[97;40m█"))
  }

  /// What a reader finds in an image of the code.
  private static func read(_ code: QRCode) throws -> String {
    let (scale, margin) = (4, 4)
    let size = code.size + 2 * margin
    var image = Array("P5 \(size * scale) \(size * scale) 255\n".utf8)
    for row in 0..<(size * scale) {
      for column in 0..<(size * scale) {
        let (row, column) = (row / scale - margin, column / scale - margin)
        let isDark =
          code.modules.indices.contains(row) && code.modules.indices.contains(column) && code.modules[row][column]
        image.append(isDark ? 0 : 255)
      }
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "understudy-\(UUID().uuidString).pgm")
    try Data(image).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: reader)
    process.arguments = ["--quiet", "--raw", file.path]
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}

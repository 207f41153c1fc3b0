/// The difference of two texts in the format of `diff -u`.
package enum UnifiedDiff {
  /// Unchanged lines before and after a change.
  private static let context = 3
  /// The most pairs of lines that are compared; longer changes become one replacement.
  private static let limit = 4_000_000

  private enum Change: Equatable { case same, removed, added }

  private struct Line {
    var change: Change
    var text: ArraySlice<UInt8>
  }

  /// The difference; empty for equal texts.
  package static func text(_ old: [UInt8], _ new: [UInt8], path: String) -> String {
    guard old != new else { return "" }
    let lines = lines(split(old), split(new))
    var result = "--- a/\(path)\n+++ b/\(path)\n"
    var index = 0
    while let first = lines[index...].firstIndex(where: { $0.change != .same }) {
      let start = max(index, first - context)
      var end = first
      // Adjacent hunks become one.
      while let next = lines[end...].firstIndex(where: { $0.change != .same }), next - end <= 2 * context {
        end = next + 1
      }
      end = min(lines.count, end + context)
      result += hunk(lines[start..<end], after: lines[..<start])
      index = end
    }
    return result
  }

  private static func hunk(_ lines: ArraySlice<Line>, after before: ArraySlice<Line>) -> String {
    func range(_ absent: Change) -> String {
      let start = before.count { $0.change != absent }
      let count = lines.count { $0.change != absent }
      return "\(count == 0 ? start : start + 1)" + (count == 1 ? "" : ",\(count)")
    }
    var result = "@@ -\(range(.added)) +\(range(.removed)) @@\n"
    for line in lines {
      result += line.change == .same ? " " : line.change == .added ? "+" : "-"
      result += String(decoding: line.text, as: UTF8.self)
      if line.text.last != UInt8(ascii: "\n") { result += "\n\\ No newline at end of file\n" }
    }
    return result
  }

  /// The lines with their line breaks.
  private static func split(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var rest = text[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
      lines.append(rest[..<end])
      rest = rest[end...]
    }
    return lines
  }

  /// The lines of both texts, from the longest common subsequence between their common head and tail.
  private static func lines(_ old: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>]) -> [Line] {
    let head = zip(old, new).prefix { $0.elementsEqual($1) }.count
    let shorter = min(old.count, new.count)
    let tail = zip(old.reversed(), new.reversed()).prefix { $0.elementsEqual($1) }.count
    let end = min(tail, shorter - head)
    let a = Array(old[head..<old.count - end])
    let b = Array(new[head..<new.count - end])
    return old[..<head].map { Line(change: .same, text: $0) } + changed(a, b)
      + old[(old.count - end)...].map { Line(change: .same, text: $0) }
  }

  private static func changed(_ a: [ArraySlice<UInt8>], _ b: [ArraySlice<UInt8>]) -> [Line] {
    guard !a.isEmpty, !b.isEmpty, a.count * b.count <= limit else {
      return a.map { Line(change: .removed, text: $0) } + b.map { Line(change: .added, text: $0) }
    }
    // common[i][j]: the number of common lines of a[i...] and b[j...].
    let width = b.count + 1
    var common = [Int](repeating: 0, count: (a.count + 1) * width)
    for i in stride(from: a.count - 1, through: 0, by: -1) {
      for j in stride(from: b.count - 1, through: 0, by: -1) {
        common[i * width + j] =
          a[i].elementsEqual(b[j])
          ? common[(i + 1) * width + j + 1] + 1 : max(common[(i + 1) * width + j], common[i * width + j + 1])
      }
    }
    var lines: [Line] = []
    var (i, j) = (0, 0)
    while i < a.count || j < b.count {
      if i < a.count, j < b.count, a[i].elementsEqual(b[j]) {
        lines.append(Line(change: .same, text: a[i]))
        (i, j) = (i + 1, j + 1)
      } else if i < a.count, j == b.count || common[(i + 1) * width + j] >= common[i * width + j + 1] {
        lines.append(Line(change: .removed, text: a[i]))
        i += 1
      } else {
        lines.append(Line(change: .added, text: b[j]))
        j += 1
      }
    }
    return lines
  }
}

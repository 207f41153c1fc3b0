/// The ids, times and hashes of an earlier recording for the new ones, so that files differ if the server does.
struct VolatileValues {
  /// By the value of the new recording; `nil` where it stands for several.
  private var earlier: [[UInt8]: [UInt8]?] = [:]

  /// Learns from two files that say the same.
  mutating func learn(_ old: [UInt8], _ new: [UInt8]) {
    let (olds, news) = (Self.runs(old), Self.runs(new))
    guard olds.count == news.count else { return }
    for (old, new) in zip(olds, news) where !old.elementsEqual(new) {
      guard Self.isVolatile(old), Self.isVolatile(new) else { continue }
      if let known = earlier[Array(new)] {
        if known != Array(old) { earlier[Array(new)] = .some(nil) }
      } else {
        earlier[Array(new)] = Array(old)
      }
    }
  }

  /// A file of the new recording with the values of the earlier one, as far as they are known.
  func applied(to file: [UInt8]) -> [UInt8] {
    guard !earlier.isEmpty else { return file }
    var edits = TextEdits(file)
    for run in Self.runs(file) {
      if let value = earlier[Array(run)] { edits.replace(run.indices, with: value) }
    }
    return edits.result ?? file
  }

  private static func isVolatile(_ run: ArraySlice<UInt8>) -> Bool {
    VolatileText.isValue(String(decoding: run, as: UTF8.self)) || Placeholder.isNumbered(run)
  }

  private static func runs(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] { bytes.split { !VolatileText.isOfValue($0) } }
}

import CCurl
import SourceText

/// Whose certificates are trusted.
enum Authorities {
  /// The certificates of the system with some more (PEM); empty where there are none to add, as libcurl finds the first itself.
  static func system(and more: [UInt8]) -> [UInt8] {
    guard !more.isEmpty else { return [] }
    // Naming certificates replaces the file that libcurl would read. A folder of the system's stays in use.
    guard let path = curl_own_version().pointee.cainfo,
      let file = try? FileSystem.read(String(cString: path))
    else { return more }
    return file.bytes + [UInt8(ascii: "\n")] + more
  }
}

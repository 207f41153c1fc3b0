import CUnderstudyCurl

/// libcurl, which is loaded for the first client.
enum Curl {
  /// Why it cannot be loaded; `nil` once it is.
  static let problem: String? = {
    if let problem = curl_load() { return "libcurl cannot be loaded: \(String(cString: problem))" }
    curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    return nil
  }()

  /// Loads it unless it is loaded.
  static func load() throws(CommandFailure) {
    guard let problem else { return }
    throw CommandFailure(
      .nothingChecked, problem,
      help: "requests to other servers need it: \(LibcurlPackage.advice)")
  }

  /// Its version and that of its TLS library; it must be loaded.
  static var version: String {
    let own = curl_own_version().pointee
    return String(cString: own.version) + (own.ssl_version.map { ", \(String(cString: $0))" } ?? "")
  }

  /// Whether the loaded libcurl has HTTP/2.
  static var hasHTTP2: Bool { curl_own_version().pointee.features & CURL_VERSION_HTTP2 != 0 }

  /// Whether the loaded libcurl sends a second request on a connection of HTTP/2 without TLS. Version 7.88 fails to.
  static var reusesPriorKnowledge: Bool { curl_own_version().pointee.version_num >= 0x08_00_00 }

  /// The file with the certificates of the system; it must be loaded.
  static var authorities: String? { curl_own_version().pointee.cainfo.map { String(cString: $0) } }
}

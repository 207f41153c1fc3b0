import CUnderstudyBrotli
import CUnderstudyCrypto
import CUnderstudyExpat
import CUnderstudyPCRE2
import CUnderstudySQLite
import CUnderstudyYAML
import CUnderstudyZlib

/// The C libraries of this process.
package enum Libraries {
  /// Names and versions; in place of a version, why a library cannot be loaded.
  package static var versions: [(name: String, version: String)] {
    let expat = XML_ExpatVersionInfo()
    // The last two numbers have 12 bits each.
    let brotli = BrotliDecoderVersion()
    return [
      ("libyaml", String(cString: yaml_get_version_string())), ("pcre2", pcre2Version),
      ("expat", "\(expat.major).\(expat.minor).\(expat.micro)"),
      ("zlib", String(cString: CUnderstudyZlib.zlibVersion())),
      ("brotli", "\(brotli >> 24).\(brotli >> 12 & 0xFFF).\(brotli & 0xFFF)"),
      ("libcurl", Curl.problem ?? Curl.version),
      ("libcrypto", String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))),
      ("sqlite", String(cString: sqlite3_libversion())),
    ]
  }

  private static var pcre2Version: String {
    var buffer = [UInt8](repeating: 0, count: 64)
    let length = pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), &buffer)
    return String(decoding: buffer.prefix(max(0, Int(length) - 1)), as: UTF8.self)
  }
}

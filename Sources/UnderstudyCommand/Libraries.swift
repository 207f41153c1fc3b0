import CBrotli
import CCrypto
import CCurl
import CExpat
import CLibYAML
import CPCRE2
import CZlib

/// The C libraries that this build runs on.
package enum Libraries {
  package static var yamlVersion: String { String(cString: yaml_get_version_string()) }

  package static var pcre2Version: String {
    var buffer = [UInt8](repeating: 0, count: 64)
    let length = pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), &buffer)
    return String(decoding: buffer.prefix(max(0, Int(length) - 1)), as: UTF8.self)
  }

  package static var expatVersion: String {
    let version = XML_ExpatVersionInfo()
    return "\(version.major).\(version.minor).\(version.micro)"
  }

  package static var zlibVersion: String { String(cString: CZlib.zlibVersion()) }

  /// Of the decoder: 12 bits for each of the last two numbers.
  package static var brotliVersion: String {
    let version = BrotliDecoderVersion()
    return "\(version >> 24).\(version >> 12 & 0xFFF).\(version & 0xFFF)"
  }

  /// With that of the library that libcurl leaves TLS to.
  package static var curlVersion: String {
    let version = curl_own_version().pointee
    let tls = version.ssl_version.map { ", \(String(cString: $0))" } ?? ""
    return String(cString: version.version) + tls
  }

  package static var cryptoVersion: String { String(cString: OpenSSL_version(OPENSSL_VERSION_STRING)) }
}

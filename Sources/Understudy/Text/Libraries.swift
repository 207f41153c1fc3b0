import CLibYAML
import CPCRE2

/// The C libraries that this build runs on.
package enum Libraries {
  package static var yamlVersion: String { String(cString: yaml_get_version_string()) }

  package static var pcre2Version: String {
    var buffer = [UInt8](repeating: 0, count: 64)
    let length = pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), &buffer)
    return String(decoding: buffer.prefix(max(0, Int(length) - 1)), as: UTF8.self)
  }
}

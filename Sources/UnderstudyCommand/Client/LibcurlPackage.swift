import UnderstudyText

/// Advice on installing libcurl, which a released program loads from the system.
package enum LibcurlPackage {
  /// The advice for this system.
  package static var advice: String {
    let release = try? FileSystem.read("/etc/os-release")
    return advice(osRelease: release.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "")
  }

  /// - Parameter osRelease: The content of `os-release(5)`, whose `ID_LIKE` names the systems that this system is derived
  ///   from.
  package static func advice(osRelease: String) -> String {
    let lines = osRelease.split(separator: "\n")
    let words = ["ID=", "ID_LIKE="].flatMap { (key: String) -> [String] in
      guard let line = lines.last(where: { $0.hasPrefix(key) }) else { return [] }
      return line.dropFirst(key.count).split { $0 == " " || $0 == "\"" || $0 == "'" }.map(String.init)
    }
    let command = words.lazy.compactMap { commands[$0] }.first
    return command.map { "install it with `\($0)`" }
      ?? "install it, on Debian and Ubuntu with `apt-get install libcurl4`, on Fedora with `dnf install libcurl`"
  }

  private static let commands = [
    "debian": "apt-get install libcurl4", "ubuntu": "apt-get install libcurl4", "fedora": "dnf install libcurl",
    "rhel": "dnf install libcurl", "suse": "zypper install libcurl4", "opensuse": "zypper install libcurl4",
    "arch": "pacman -S curl",
  ]
}

import UnderstudySystem
import UnderstudyText

/// The steps by which a system or a program trusts the local certificate authority.
package struct TrustGuide: Sendable {
  /// Its name as an argument: `node`.
  package let name: String
  package let title: String
  /// Steps without a command, and remarks.
  package let notes: [String]
  /// Commands of a shell, and lines of a file.
  package let lines: [String]
  /// Whether the lines are commands that change a trust store.
  package let isInstallable: Bool

  private init(
    _ name: String, _ title: String, _ notes: [String] = [], _ lines: [String] = [], isInstallable: Bool = false
  ) {
    (self.name, self.title, self.notes, self.lines, self.isInstallable) = (name, title, notes, lines, isInstallable)
  }

  package var text: String {
    "\(title)\n" + notes.map { "  # \($0)\n" }.joined() + lines.map { "  \($0)\n" }.joined()
  }

  /// - Parameter authority: The path of the authority's certificate.
  package static func all(_ authority: String) -> [TrustGuide] {
    let file = ShellQuoting().word(authority)
    return [
      TrustGuide("curl", "curl", [], ["curl --cacert \(file) https://localhost:4010/"]),
      TrustGuide(
        "node", "Node.js, and Electron", ["the variable adds to the authorities that Node knows"],
        ["export NODE_EXTRA_CA_CERTS=\(file)"]),
      TrustGuide(
        "python", "Python: requests, httpx, aiohttp, urllib",
        ["requests reads the first variable, the others the second; both replace the authorities that are known"],
        ["export REQUESTS_CA_BUNDLE=\(file)", "export SSL_CERT_FILE=\(file)"]),
      TrustGuide(
        "java", "Java, Kotlin and Gradle on a JVM", ["`changeit` is the usual password of the trust store"],
        ["keytool -importcert -noprompt -cacerts -storepass changeit -alias understudy -file \(file)"],
        isInstallable: true),
      TrustGuide("debian", "Debian and Ubuntu", [], Installation.debian.commands(file), isInstallable: true),
      TrustGuide("fedora", "Fedora, Red Hat and SUSE", [], Installation.fedora.commands(file), isInstallable: true),
      TrustGuide(
        "macos", "macOS: Safari, Chrome, URLSession, curl of the system",
        ["macOS asks for the password of the user"], Installation.macOS.commands(file), isInstallable: true),
      TrustGuide(
        "simulator", "iOS simulator", ["once for each simulator that is booted"],
        ["xcrun simctl keychain booted add-root-cert \(file)"], isInstallable: true),
      TrustGuide(
        "ios", "iPhone and iPad",
        [
          "`understudy tls trust --serve`, and scan the code; or send the file to the device and open it there",
          "Settings > General > VPN & Device Management: install the profile",
          "Settings > General > About > Certificate Trust Settings: turn the authority on",
        ]),
      TrustGuide(
        "android", "Android: the app under test",
        [
          "for the browser: `understudy tls trust --serve`, and scan the code",
          "copy the file to app/src/debug/res/raw/understudy_ca.pem; in app/src/debug/res/xml/network_security_config.xml:",
        ],
        [
          "<network-security-config>", "  <debug-overrides><trust-anchors>",
          "    <certificates src=\"@raw/understudy_ca\"/>", "  </trust-anchors></debug-overrides>",
          "</network-security-config>",
          "<!-- AndroidManifest.xml: <application android:networkSecurityConfig=\"@xml/network_security_config\"> -->",
        ]),
      TrustGuide(
        "firefox", "Firefox",
        [
          "Settings > Privacy & Security > Certificates > View Certificates > Authorities > Import",
          "on macOS and Windows security.enterprise_roots.enabled in about:config takes those of the system",
        ]),
      TrustGuide(
        "chrome", "Chrome and Chromium on Linux", ["certutil is in libnss3-tools, on Fedora in nss-tools"],
        ["certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n understudy -i \(file)"], isInstallable: true),
    ]
  }
}

/// The trust store of a system.
package enum Installation: Sendable {
  case debian, fedora, macOS

  /// The trust store of this system, or `nil` if it is unknown.
  package static var ofThisSystem: Installation? {
    #if os(macOS)
    return .macOS
    #else
    func has(_ folder: String) -> Bool { FileSystem.isFolder(folder) }
    if has("/usr/local/share/ca-certificates") || has("/usr/share/ca-certificates") { return .debian }
    return has("/etc/pki/ca-trust/source/anchors") ? .fedora : nil
    #endif
  }

  /// The path of the copied certificate, or `nil` if the trust store is not a folder.
  package var copy: String? {
    switch self {
    case .debian: "/usr/local/share/ca-certificates/understudy.crt"
    case .fedora: "/etc/pki/ca-trust/source/anchors/understudy.pem"
    case .macOS: nil
    }
  }

  /// Adds the certificate.
  ///
  /// - Parameter file: A word of a shell.
  package func commands(_ file: String) -> [String] {
    switch self {
    case .debian: ["sudo install -m 644 \(file) \(copy ?? "")", "sudo update-ca-certificates"]
    case .fedora: ["sudo install -m 644 \(file) \(copy ?? "")", "sudo update-ca-trust"]
    case .macOS: ["security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db \(file)"]
    }
  }

  /// Removes it.
  package func removal(_ file: String) -> [String] {
    switch self {
    case .debian: ["sudo rm -f \(copy ?? "")", "sudo update-ca-certificates --fresh"]
    case .fedora: ["sudo rm -f \(copy ?? "")", "sudo update-ca-trust"]
    case .macOS: ["security remove-trusted-cert \(file)"]
    }
  }
}

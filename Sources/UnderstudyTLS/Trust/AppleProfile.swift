/// A configuration profile, by which iOS and iPadOS install a certificate authority (the payload `com.apple.security.root` of
/// Apple's Device Management).
package enum AppleProfile {
  /// A property list. The same certificate has the same identifiers, so that it replaces itself.
  ///
  /// - Returns: `nil` if the certificate cannot be written.
  package static func text(of authority: Certificate, name: String) -> String? {
    guard let pem = authority.pem else { return nil }
    let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("-----") }
    let digits = Array(authority.fingerprint.uppercased())
    guard digits.count == 64 else { return nil }
    let title = name.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    func common(_ type: String, _ identifier: String, _ digits: ArraySlice<Character>) -> String {
      """
      <key>PayloadType</key><string>\(type)</string>
      <key>PayloadVersion</key><integer>1</integer>
      <key>PayloadIdentifier</key><string>\(identifier)</string>
      <key>PayloadUUID</key><string>\(uuid(Array(digits)))</string>
      <key>PayloadDisplayName</key><string>\(title)</string>
      """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      <key>PayloadContent</key>
      <array>
      <dict>
      \(common("com.apple.security.root", "understudy.authority", digits[0..<32]))
      <key>PayloadCertificateFileName</key><string>understudy.crt</string>
      <key>PayloadContent</key>
      <data>
      \(lines.joined(separator: "\n"))
      </data>
      </dict>
      </array>
      \(common("Configuration", "understudy.profile", digits[32..<64]))
      <key>PayloadDescription</key>
      <string>Trusts the local certificate authority of understudy, which is limited to local names and addresses.</string>
      </dict>
      </plist>

      """
  }

  /// 8-4-4-4-12 digits (RFC 9562, 4).
  private static func uuid(_ digits: [Character]) -> String {
    let ends = [0, 8, 12, 16, 20, 32]
    return zip(ends, ends.dropFirst()).map { String(digits[$0..<$1]) }.joined(separator: "-")
  }
}

import NIOCore
import UnderstudySystem

/// The names and addresses of a server on this machine.
package struct ServerNames: Sendable {
  /// The names and addresses that the local certificate authority may sign.
  package let local: [SubjectName]
  /// The hosts of the server that the local certificate authority may not sign.
  package let foreign: [String]

  /// - Parameter host: The value of `--host`.
  package init(host: String) {
    var names: [SubjectName] = [.name("localhost"), .address("127.0.0.1"), .address("::1")]
    // Its name in the local network, by multicast DNS (RFC 6762, 3).
    if let machine = Self.machine.flatMap({ SubjectName("\($0).local") }) { names.append(machine) }
    var foreign: [String] = []
    if host == "0.0.0.0" || host == "::" {
      let addresses = ((try? System.enumerateDevices()) ?? []).compactMap { $0.address?.ipAddress }
      // The scope of a link-local address is that of this machine.
      let all = addresses.compactMap { SubjectName(String($0.prefix { $0 != "%" })) }
      names += all.filter(\.isLocal)
      foreign = all.filter { !$0.isLocal }.map(\.description)
    } else if let name = SubjectName(host), name.isLocal {
      names.append(name)
    } else {
      foreign = [host]
    }
    var known: Set<SubjectName> = []
    local = names.filter { known.insert($0).inserted }
    self.foreign = foreign
  }

  /// The first label of the name of this machine: `studio`.
  static var machine: String? {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, 255) == 0 else { return nil }
    let name = String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return name.split(separator: ".").first.map(String.init)
  }
}

#if TLS
import NIOCore
import NIOHPACK
import NIOHTTP1
import UnderstudyServer

/// Makes the head of a request from the fields of a stream (RFC 9113, 8.3), with the checks of the parser of HTTP/1.
///
/// The library has checked the names, the number and the order of pseudo-header fields, that names are tokens in lower case,
/// and that the body has the announced length. The rules for hosts and expectations follow in the server. Transfer codings,
/// chunks, line ends, the version and the `Connection` field have no meaning on a stream (8.1, 8.2.2). Any token is a method:
/// the methods that the parser of HTTP/1 knows are a limit of that parser.
struct RequestTranslation {
  /// An error of a head.
  enum Problem: Error {
    /// A malformed request, whose stream is reset (8.1.1).
    case malformed
    /// A request that the server answers with an error.
    case refused(HTTPParserError)
  }

  let limits: MultiplexedLimits

  func head(of fields: HPACKHeaders) throws(Problem) -> HTTPRequestHead {
    var method, path, scheme, authority: String?
    var headers: [(String, String)] = []
    headers.reserveCapacity(fields.count)
    var hosts = 0
    var lengths = 0
    var cookies: [String] = []
    for (name, value, _) in fields {
      switch name {
      case ":method": method = value
      case ":path": path = value
      case ":scheme": scheme = value
      case ":authority":
        authority = value
        headers.append(("host", value))
      case "host":
        hosts += 1
        if let authority, hosts == 1 {
          // It must not name another host (8.3.1).
          guard Self.isSame(value, authority, scheme) else { throw .malformed }
        } else {
          headers.append((name, try Self.trimmed(value)))
        }
      // One field of HTTP/1 (8.2.3).
      case "cookie": cookies.append(try Self.trimmed(value))
      case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade": throw .malformed
      case "content-length":
        lengths += 1
        guard lengths == 1, !value.isEmpty, value.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
          throw .refused(.invalidContentLength)
        }
        headers.append((name, value))
      default: headers.append((name, try Self.trimmed(value)))
      }
    }
    guard let method, let path, Self.isToken(method), method != "CONNECT", Self.isOriginForm(path) else {
      throw .malformed
    }
    guard path.utf8.allSatisfy({ $0 < 0x7F }) else { throw .refused(.invalidURL) }
    if !cookies.isEmpty { headers.append(("cookie", cookies.joined(separator: "; "))) }
    try checkLimits(path, headers)
    return HTTPRequestHead(
      version: .http2, method: HTTPMethod(rawValue: method), uri: path, headers: HTTPHeaders(headers))
  }

  /// The limits of the parser of HTTP/1, which counts names and values.
  private func checkLimits(_ path: String, _ headers: [(String, String)]) throws(Problem) {
    var total = path.utf8.count
    var longest = total
    for (name, value) in headers {
      total += name.utf8.count + value.utf8.count
      longest = max(longest, name.utf8.count, value.utf8.count)
    }
    guard total <= limits.headBytes, longest <= limits.fieldBytes, headers.count <= limits.fieldCount else {
      throw .refused(.headerOverflow)
    }
  }

  /// A value without the white space around it, as HTTP/1 reads it (RFC 9112, 5).
  private static func trimmed(_ value: String) throws(Problem) -> String {
    // A line end would be another request to HTTP/1 (RFC 9113, 10.3).
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { throw .malformed }
    func isSpace(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }
    guard isSpace(value.utf8.first) || isSpace(value.utf8.last) else { return value }
    var rest = value.utf8[...]
    while isSpace(rest.first) { rest.removeFirst() }
    while isSpace(rest.last) { rest.removeLast() }
    return String(Substring(rest))
  }

  /// Compares two hosts without the case of letters and without the default port (RFC 3986, 6.2).
  private static func isSame(_ host: String, _ authority: String, _ scheme: String?) -> Bool {
    let port = scheme == "https" ? ":443" : ":80"
    func normalized(_ text: String) -> String {
      let text = text.lowercased()
      return text.hasSuffix(port) ? String(text.dropLast(port.count)) : text
    }
    return host == authority || normalized(host) == normalized(authority)
  }

  /// RFC 9110, 5.6.2.
  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// A path, or the asterisk of OPTIONS (8.3.1).
  private static func isOriginForm(_ path: String) -> Bool {
    (path.utf8.first == UInt8(ascii: "/") || path == "*") && path.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }
}
#endif

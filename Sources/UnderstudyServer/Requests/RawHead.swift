import NIOCore
import NIOHTTP1

/// The bytes of a request's head, for what the decoder loses: how the parts of the request line were separated, and the
/// bytes of values that are not UTF-8.
struct RawHead {
  private let bytes: ByteBuffer

  init(_ bytes: ByteBuffer) { self.bytes = bytes }

  /// Whether the request line is that of a decoded head, with one blank on each side of the target (RFC 9112, 3).
  func begins(with head: HTTPRequestHead) -> Bool {
    bytes.withUnsafeReadableBytes { bytes in
      var rest = bytes[...]
      // Empty lines may precede it (RFC 9112, 2.2).
      while let first = rest.first, first == 13 || first == 10 { rest.removeFirst() }
      return Self.drop(head.method.wireName, from: &rest) && Self.drop(" ", from: &rest)
        && Self.drop(head.uri, from: &rest) && Self.drop(" HTTP/1.", from: &rest)
    }
  }

  private static func drop(_ text: String, from rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
    var text = text
    return text.withUTF8 { text in
      guard rest.count >= text.count, rest.prefix(text.count).elementsEqual(text) else { return false }
      rest = rest.dropFirst(text.count)
      return true
    }
  }

  /// A copy of the head without the bytes after it.
  func copy() -> ByteBuffer? {
    // An empty line before the request line would be taken for the end.
    guard let first = bytes.readableBytesView.first, first > 32, let length = bytes.lengthOfHead else { return nil }
    return ByteBuffer(bytes: bytes.readableBytesView.prefix(length))
  }

  /// Whether the head has the same bytes as another one, which is complete.
  func isSame(as head: ByteBuffer) -> Bool {
    bytes.getSlice(at: bytes.readerIndex, length: head.readableBytes) == head
  }

  var values: [[UInt8]] {
    var values: [[UInt8]] = []
    var isRequestLine = true
    for line in bytes.readableBytesView.split(separator: 10) {
      let line = line.last == 13 ? line.dropLast() : line
      if line.isEmpty {
        if isRequestLine { continue }
        break
      }
      defer { isRequestLine = false }
      guard !isRequestLine, let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      var value = line[(colon + 1)...]
      while let first = value.first, first == 32 || first == 9 { value.removeFirst() }
      while let last = value.last, last == 32 || last == 9 { value.removeLast() }
      values.append(Array(value))
    }
    return values
  }
}

extension HTTPMethod {
  /// As it is sent; the decoder drops the hyphen of one method.
  var wireName: String { self == .MSEARCH ? "M-SEARCH" : rawValue }
}

/// Keeps the bytes of the next head until it is decoded.
///
/// The decoder does not show where a head begins. It is known for the first head of a read that begins a request, and
/// from there for all that follow requests without chunks.
struct HeadWindow {
  /// The bytes from the beginning of a head; `nil` if that is unknown.
  private var window: ByteBuffer?
  /// Whether the head at the beginning of the window was decoded, and the length of its body if it is known.
  private var decoded: (length: Int?, Void)?

  /// Limits the memory; the decoder refuses such a head.
  private static let limit = 256 * 1024

  mutating func receive(_ bytes: ByteBuffer, beginsRequest: Bool) {
    if beginsRequest {
      (window, decoded) = (bytes, nil)
    } else if window != nil {
      let count = window?.readableBytes ?? 0
      if count + bytes.readableBytes > Self.limit { window = nil } else { window?.writeImmutableBuffer(bytes) }
    }
  }

  /// The next head was decoded. Returns its bytes, and those after it.
  mutating func next() -> RawHead? {
    if let last = decoded {
      guard let length = last.length, skip(length) else {
        window = nil
        return nil
      }
    }
    decoded = (nil, ())
    return window.map { RawHead($0) }
  }

  /// The length of the body of the last head; `nil` if it is unknown.
  mutating func announce(_ length: Int?) { decoded = (length, ()) }

  /// Moves the window behind its head and a body. Returns whether it has so many bytes.
  private mutating func skip(_ length: Int) -> Bool {
    guard let window, let head = window.lengthOfHead, length <= window.readableBytes - head else { return false }
    self.window?.moveReaderIndex(forwardBy: head + length)
    return true
  }
}

extension ByteBuffer {
  /// The number of bytes up to the first empty line, which ends a head.
  fileprivate var lengthOfHead: Int? {
    withUnsafeReadableBytes { bytes in
      bytes.indices.dropFirst(3).first { end in
        bytes[end] == 10 && bytes[end - 1] == 13 && bytes[end - 2] == 10 && bytes[end - 3] == 13
      }.map { $0 + 1 }
    }
  }
}

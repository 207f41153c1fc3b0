import CUnderstudyZlib

/// Encodes gzip (RFC 1952) and zlib (RFC 1950), for bodies that were changed and keep their Content-Encoding.
enum Deflate {
  /// `nil` if zlib has no memory.
  static func encode(_ bytes: [UInt8], isGzip: Bool) -> [UInt8]? {
    guard bytes.count <= ContentCoding.decodedLimit else { return nil }
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    // The window bits of zlib; 16 more select gzip.
    let bits: Int32 = isGzip ? 31 : 15
    let size = Int32(MemoryLayout<z_stream>.size)
    guard
      deflateInit2_(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
    else { return nil }
    defer { deflateEnd(stream) }
    var output = [UInt8](repeating: 0, count: Int(deflateBound(stream, uLong(bytes.count))))
    var input = bytes  // zlib's parameter is mutable, but zlib does not write to it.
    let status = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.pointee.next_in = input.baseAddress
        stream.pointee.avail_in = uInt(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = uInt(output.count)
        return deflate(stream, Z_FINISH)
      }
    }
    guard status == Z_STREAM_END else { return nil }
    return Array(output[..<(output.count - Int(stream.pointee.avail_out))])
  }
}

extension ContentCoding {
  /// The codings of `Content-Encoding` lines, in lower case and without `identity`.
  static func names(_ lines: [String]) -> [String] {
    lines.flatMap { FieldSyntax.split($0.utf8, at: UInt8(ascii: ",")) }
      .map { FieldSyntax.lowercased($0) }.filter { !$0.isEmpty && $0 != "identity" }
  }

  package static func isCoded(_ lines: [String]) -> Bool { !names(lines).isEmpty }

  /// A body in the codings of its lines; `nil` for a coding that can only be decoded.
  static func encode(_ bytes: [UInt8], _ lines: [String]) -> [UInt8]? {
    var bytes = bytes
    for name in names(lines) {
      guard ["gzip", "x-gzip", "deflate"].contains(name), let coded = Deflate.encode(bytes, isGzip: name != "deflate")
      else { return nil }
      bytes = coded
    }
    return bytes
  }
}

import CUnderstudyZlib

/// Decodes gzip (RFC 1952) and zlib (RFC 1950), chunk by chunk, so that the limit bounds the memory.
enum Inflate {
  private static let chunkSize = 65_536
  private static let windowBits: Int32 = 15
  /// Added to the window bits, it selects gzip.
  private static let gzipFormat: Int32 = 16

  static func gzip(_ bytes: [UInt8], limit: Int) throws(ContentCoding.Failure) -> [UInt8] {
    try inflate(bytes, windowBits + gzipFormat, limit)
  }

  /// `deflate` means zlib, but some servers send a bare deflate stream (RFC 9110, section 8.4.1.2, note).
  static func deflate(_ bytes: [UInt8], limit: Int) throws(ContentCoding.Failure) -> [UInt8] {
    do {
      return try inflate(bytes, windowBits, limit)
    } catch .corrupt {
      return try inflate(bytes, -windowBits, limit)
    }
  }

  private static func inflate(_ bytes: [UInt8], _ bits: Int32, _ limit: Int) throws(ContentCoding.Failure) -> [UInt8] {
    guard bytes.count <= Int(Int32.max) else { throw .limit }
    // zlib keeps the address of its stream.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    guard inflateInit2_(stream, bits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { throw .corrupt }
    defer { inflateEnd(stream) }
    var input = bytes  // zlib's parameter is mutable, but zlib does not write to it.
    return try input.withUnsafeMutableBufferPointer { (input) throws(ContentCoding.Failure) in
      stream.pointee.next_in = input.baseAddress
      stream.pointee.avail_in = uInt(input.count)
      return try run(stream, limit)
    }
  }

  private static func run(
    _ stream: UnsafeMutablePointer<z_stream>, _ limit: Int
  ) throws(ContentCoding.Failure) -> [UInt8] {
    var result: [UInt8] = []
    let chunk = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: chunkSize)
    defer { chunk.deallocate() }
    while true {
      stream.pointee.next_out = chunk.baseAddress
      stream.pointee.avail_out = uInt(chunkSize)
      let status = CUnderstudyZlib.inflate(stream, Z_NO_FLUSH)
      let produced = chunkSize - Int(stream.pointee.avail_out)
      guard result.count + produced <= limit else { throw .limit }
      result += chunk[..<produced]
      switch status {
      case Z_OK: continue
      case Z_STREAM_END where stream.pointee.avail_in == 0: return result
      // gzip files may be joined (RFC 1952, section 2.2).
      case Z_STREAM_END: guard inflateReset(stream) == Z_OK else { throw .corrupt }
      case Z_BUF_ERROR: throw .truncated
      default: throw .corrupt
      }
    }
  }
}

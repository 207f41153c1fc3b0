import UnderstudySystem

/// A file for the output of a program, without a name unless it is asked for.
package struct TemporaryOutput: ~Copyable {
  package let descriptor: CInt
  /// Where another process finds the file; `nil` where none needs to.
  package let path: String?

  /// - Parameter isNamed: Whether the file keeps its name until `close`.
  package init(isNamed: Bool = false) throws(CapturedProcess.StartFailure) {
    let named = getenv("TMPDIR").map { String(cString: $0) }
    let above = named.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array(Path.join(above, "understudy-XXXXXX").utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw CapturedProcess.StartFailure(
        code: errno,
        description: "\(above) cannot take a temporary file: \(String(cString: strerror(errno)).lowercased())",
        help: "set TMPDIR to a folder that can be written")
    }
    let name = template.withUnsafeBufferPointer {
      String(decoding: $0.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    path = isNamed ? name : nil
    if !isNamed { unlink(name) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// The end of the file.
  /// - Parameter limit: In bytes.
  package func text(limit: Int) -> String {
    var bytes = [UInt8](repeating: 0, count: limit)
    let size = lseek(descriptor, 0, SEEK_END)
    let count = pread(descriptor, &bytes, limit, max(0, size - off_t(limit)))
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  package func close() {
    if let path { unlink(path) }
    _ = systemClose(descriptor)
  }
}

private func systemClose(_ descriptor: CInt) -> CInt { close(descriptor) }

import CUnderstudyCurl

/// An easy handle of libcurl and the memory that it uses.
final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  private let errorText: UnsafeMutablePointer<CChar>
  private var fields: UnsafeMutablePointer<curl_slist>?

  /// `nil` if out of memory.
  init?() {
    guard let pointer = curl_easy_init() else { return nil }
    self.pointer = pointer
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    _ = curl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText)
  }

  deinit {
    curl_easy_cleanup(pointer)
    curl_slist_free_all(fields)
    errorText.deallocate()
  }

  func set(_ option: CURLoption, _ value: Int) { _ = curl_set_number(pointer, option, value) }

  func set(_ option: CURLoption, _ value: String) { _ = curl_set_text(pointer, option, value) }

  func set(_ option: CURLoption, _ value: [UInt8]) { _ = curl_set_bytes(pointer, option, value, value.count) }

  func setUploadLength(_ length: Int?) {
    _ = curl_set_size(pointer, CURLOPT_INFILESIZE_LARGE, curl_off_t(length ?? -1))
  }

  /// Lines in libcurl's notation: `Name: value`, `Name;` for an empty value, `Name:` to remove a default field. They are
  /// bytes, since values may have any charset.
  func setFields(_ lines: [[UInt8]]) {
    for line in lines {
      (line + [0]).withUnsafeBytes { bytes in
        fields = curl_slist_append(fields, bytes.baseAddress?.assumingMemoryBound(to: CChar.self)) ?? fields
      }
    }
    _ = curl_set_list(pointer, CURLOPT_HTTPHEADER, fields)
  }

  typealias Flow = @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int

  /// Sets a function that reads or writes bytes; `context` is its last argument.
  func set(_ option: CURLoption, _ function: Flow, _ context: UnsafeMutableRawPointer) {
    _ = curl_set_flow(pointer, option, function, context)
  }

  /// A property of the transfer; 0 if unknown.
  func number(_ property: CURLINFO) -> Int { curl_number(pointer, property) }

  /// The message of a failure; may be empty.
  var errorMessage: String { String(cString: errorText) }
}

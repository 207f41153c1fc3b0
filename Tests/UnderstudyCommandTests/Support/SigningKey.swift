import CUnderstudyCrypto
import Foundation
import Testing

/// A new private key of libcrypto, for tests that sign.
final class SigningKey: @unchecked Sendable {
  private let pointer: OpaquePointer

  static func rsa() throws -> SigningKey { try SigningKey("RSA") { EVP_PKEY_CTX_set_rsa_keygen_bits($0, 2048) } }

  static func p256() throws -> SigningKey { try SigningKey("EC") { EVP_PKEY_CTX_set_group_name($0, "P-256") } }

  static func ed25519() throws -> SigningKey { try SigningKey("ED25519") { _ in 1 } }

  private init(_ type: String, _ configure: (OpaquePointer?) -> CInt) throws {
    let context = EVP_PKEY_CTX_new_from_name(nil, type, nil)
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    try #require(EVP_PKEY_keygen_init(context) == 1 && configure(context) == 1 && EVP_PKEY_generate(context, &key) == 1)
    pointer = try #require(key)
  }

  deinit { EVP_PKEY_free(pointer) }

  var publicPEM: String {
    let file = BIO_new(BIO_s_mem())
    defer { BIO_free(file) }
    var bytes = [UInt8](repeating: 0, count: 10_000)
    let count = PEM_write_bio_PUBKEY(file, pointer) == 1 ? BIO_read(file, &bytes, CInt(bytes.count)) : 0
    return String(decoding: bytes.prefix(Int(count)), as: UTF8.self)
  }

  /// A number of the public key, of the highest byte first: `n`, `e`, `qx`, `qy`.
  func number(_ name: String) throws -> Data {
    var number: OpaquePointer?
    try #require(EVP_PKEY_get_bn_param(pointer, name, &number) == 1)
    defer { BN_free(number) }
    var bytes = Data(count: 1024)
    let count = bytes.withUnsafeMutableBytes { BN_bn2bin(number, $0.bindMemory(to: UInt8.self).baseAddress) }
    let width = name.hasPrefix("q") ? 32 : Int(count)
    return Data(count: width - Int(count)) + bytes.prefix(Int(count))
  }

  /// The public key of a curve of Edwards as its bytes.
  func bytes() throws -> Data {
    var bytes = [UInt8](repeating: 0, count: 64)
    var count = bytes.count
    try #require(EVP_PKEY_get_raw_public_key(pointer, &bytes, &count) == 1)
    return Data(bytes.prefix(count))
  }

  /// As libcrypto makes it: an ECDSA signature is a sequence of two numbers.
  func signature(of text: Data, _ digest: OpaquePointer?) throws -> Data {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    var count = bytes.count
    let text = Array(text)
    try #require(
      EVP_DigestSignInit(context, nil, digest, nil, pointer) == 1
        && EVP_DigestSign(context, &bytes, &count, text, text.count) == 1)
    return Data(bytes.prefix(count))
  }

  /// The two numbers of an ECDSA signature side by side, as tokens have them (RFC 7518, section 3.4).
  func numbers(of text: Data) throws -> Data {
    let sequence = try signature(of: text, EVP_sha256())
    return try sequence.withUnsafeBytes { raw in
      var start = raw.bindMemory(to: UInt8.self).baseAddress
      let pair = try #require(d2i_ECDSA_SIG(nil, &start, sequence.count))
      defer { ECDSA_SIG_free(pair) }
      return try [ECDSA_SIG_get0_r(pair), ECDSA_SIG_get0_s(pair)].reduce(into: Data()) { numbers, number in
        var bytes = [UInt8](repeating: 0, count: 32)
        try #require(BN_bn2binpad(number, &bytes, 32) == 32)
        numbers += bytes
      }
    }
  }
}

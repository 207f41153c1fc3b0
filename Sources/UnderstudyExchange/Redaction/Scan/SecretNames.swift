/// Decides by its name whether a field is a credential, whether or not a contract documents it.
///
/// Names are read as words, so that spellings make no difference: `X-Api-Key`, `apiKey`, `api_key`, `user[api_key]`.
package enum SecretNames {
  package enum Strength: Sendable, Hashable, Comparable {
    /// Not a credential, even if the value looks like one: `id`, `etag`, `cursor`.
    case identifier
    case none
    /// A credential if the value looks generated: `key`, `code`.
    case weak
    case strong
  }

  package enum Position: Sendable, Hashable { case header, query, path, cookie, member }

  package static func strength(of name: String, as position: Position) -> Strength {
    let words = subject(of: words(of: name))
    guard let last = words.last else { return .none }
    let pair = words.count > 1 ? words[words.count - 2] + last : last
    let whole = words.joined()
    if position == .header, keptHeaders.contains(whole) { return .identifier }
    if identifierPairs.contains(pair) || pair == last && identifiers.contains(whole) { return .identifier }
    if strongWords.contains(last) || strongPairs.contains(pair) || strongWholes.contains(whole) {
      return last == "token" && words.count > 1 && cursorWords.contains(words[words.count - 2]) ? .identifier : .strong
    }
    switch position {
    case .header where headerWords.contains(last) || headerWholes.contains(whole): return .strong
    case .query where queryWords.contains(last), .path where queryWords.contains(last),
      .cookie where queryWords.contains(last):
      return .strong
    default: break
    }
    if weakWords.contains(last) { return .weak }
    return identifiers.contains(last) ? .identifier : .none
  }

  /// Whether a header is an identifier by its whole name.
  static func isKept(header name: String) -> Bool { keptHeaders.contains(words(of: name).joined()) }

  /// The words of a name without those that repeat a password: `password_confirmation`, `password2`, `newPasswordAgain`.
  private static func subject(of words: [String]) -> [String] {
    var words = words
    while words.count > 1,
      repetitions.contains(words[words.count - 1]) || words[words.count - 1].utf8.allSatisfy(isDigit),
      isPassword(word: words[words.count - 2])
    {
      words.removeLast()
    }
    if let last = words.last, let end = last.utf8.lastIndex(where: { !isDigit($0) }),
      isPassword(word: String(last[...end]))
    {
      words[words.count - 1] = String(last[...end])
    }
    return words
  }

  private static func isDigit(_ byte: UInt8) -> Bool { 48...57 ~= byte }

  /// Whether values of a name may be words.
  static func isPassword(_ name: String) -> Bool {
    subject(of: words(of: name)).last.map { isPassword(word: $0) } ?? false
  }

  private static func isPassword(word: String) -> Bool {
    word.hasPrefix("pass") || ["pwd", "secret", "kennwort", "answer", "pin"].contains(word)
  }

  /// Whether a value of an ambiguous name looks like a credential; a `code` in a URL is often a grant.
  static func isCredential(_ value: ArraySlice<UInt8>, weaklyNamed name: String, inURL: Bool) -> Bool {
    if isPIN(name) { return pinLengths ~= value.count && value.allSatisfy(isDigit) }
    return inURL && words(of: name).last == "code"
      ? Entropy.looksLikeGrant(value) : Entropy.looksGenerated(weaklyNamed: value)
  }

  static func isPIN(_ name: String) -> Bool { subject(of: words(of: name)).last == "pin" }

  /// The numbers of digits of a personal identification number (ISO 9564-1, 8.1).
  private static let pinLengths = 4...12

  package static func isCredential(header name: String) -> Bool { strength(of: name, as: .header) == .strong }

  /// Whether the field begins with the name of a scheme (RFC 9110, 11.4), which is not a secret.
  package static func hasScheme(_ name: String) -> Bool {
    ["authorization", "proxyauthorization"].contains(words(of: name).joined())
  }

  /// Whether a name of an environment variable or a member lists several credentials: `secrets`.
  static func isList(_ name: String) -> Bool { words(of: name).last.map(lists.contains) ?? false }

  /// The words of a name in lower case: `userAPIKey` has `user`, `api` and `key`. Only the last 128 bytes are read.
  package static func words(of name: String) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    let bytes = Array(name.utf8.suffix(128))
    func isUpper(_ byte: UInt8) -> Bool { 65...90 ~= byte }
    for (position, byte) in bytes.enumerated() {
      let isLetter = isUpper(byte) || 97...122 ~= byte || byte > 127
      if !isLetter, !(48...57 ~= byte) {
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        word = []
        continue
      }
      let isStart =
        isUpper(byte)
        ? position > 0
          && (!isUpper(bytes[position - 1])
            || position + 1 < bytes.count && 97...122 ~= bytes[position + 1] && !isPlural(bytes, position)
              && !isAcronymWord(bytes, position + 1))
        : position > 1 && isUpper(bytes[position - 1]) && isUpper(bytes[position - 2]) && isAcronymWord(bytes, position)
      if isStart, !word.isEmpty {
        words.append(String(decoding: word, as: UTF8.self))
        word = []
      }
      word.append(FieldSyntax.lowercased(byte))
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
    return words
  }

  /// Whether the lower case after an acronym is only its plural: `userIDs`.
  private static func isPlural(_ bytes: [UInt8], _ position: Int) -> Bool {
    bytes[position + 1] == UInt8(ascii: "s") && (position + 2 == bytes.count || !(97...122 ~= bytes[position + 2]))
  }

  /// Whether one of the words that follow an acronym in lower case begins here: `FCMtoken`, `IDtoken`.
  private static func isAcronymWord(_ bytes: [UInt8], _ position: Int) -> Bool {
    let word = bytes[position...].prefix { 97...122 ~= $0 }
    return acronymWords.contains { word.elementsEqual($0.utf8) }
  }

  private static let acronymWords = ["token", "tokens", "key", "keys", "secret", "password", "code", "id"]

  // MARK: - Tables

  /// Words after `password` for the same value again.
  private static let repetitions: Set<String> = [
    "confirmation", "confirm", "repeat", "repeated", "repetition", "again", "retype", "verify",
  ]

  private static let strongWords: Set<String> = [
    "password", "passwd", "passphrase", "passcode", "pwd", "passwort", "kennwort", "secret", "token", "jwt",
    "credential",
    "credentials", "authorization", "apikey", "apitoken", "accesskey", "secretkey", "privatekey", "authkey",
    "authtoken",
    "accesstoken", "idtoken", "refreshtoken", "sessiontoken", "csrftoken", "xsrftoken", "clientsecret", "csrf", "xsrf",
    "sessionid", "sessid", "phpsessid", "jsessionid", "cvv", "cvc", "otp", "totp", "jwe", "cookie", "cookies",
    "passwords", "secrets", "apikeys", "samlresponse", "csrfmiddlewaretoken", "fcmtoken", "bearertoken",
    "subscriptionkey", "sas", "sig", "hmac", "ssn", "connectionstring", "connstring", "connstr",
  ]

  private static let strongPairs: Set<String> = [
    "apikey", "apikeys", "accesskey", "accesskeys", "secretkey", "privatekey", "authkey", "signingkey", "encryptionkey",
    "masterkey", "sharedkey", "accountkey", "consumerkey", "sessionkey", "subscriptionkey", "functionskey", "hmackey",
    "storagekey", "licensekey", "webhookkey", "applicationkey", "appkey", "serverkey", "sessionid", "devicecode",
    "codeverifier", "recoverycode", "recoverycodes", "backupcode", "backupcodes", "verificationcode", "securitycode",
    "accesscode", "onetimecode", "mfacode", "secretanswer", "securityanswer",
    "recoveryanswer", "authcode", "authorizationcode", "clientassertion", "passwordhash",
    "userpass",
    "dbpass", "mysqlpass", "adminpass", "rootpass", "authpass", "redispass", "smtppass", "mailpass", "ftppass",
    "httppass",
    "registryauth", "samlresponse", "amzsignature", "amzcredential", "googsignature", "googcredential",
    "connectionstring", "connstring", "connstr", "securitynumber",
  ]

  private static let strongWholes: Set<String> = ["pass", "proxyauthorization", "setcookie", "dockerauth", "dpop"]

  /// Words before `token` that make it a position in a list.
  private static let cursorWords: Set<String> = [
    "next", "page", "pagination", "continuation", "continue", "sync", "resume", "cursor", "cancellation", "cancel",
    "skip",
    "start", "starting", "marker", "previous", "prev", "idempotency", "max", "delta",
  ]

  private static let headerWords: Set<String> = ["auth", "signature", "session", "sid"]
  private static let headerWholes: Set<String> = [
    "xhubsignature256", "xgoogapikey", "xfunctionskey", "xamzsecuritytoken", "xvaulttoken", "xforwardedclientcert",
    "xauthkey", "authenticationinfo", "proxyauthenticationinfo",
  ]

  private static let queryWords: Set<String> = ["signature", "session", "sid", "assertion"]

  private static let weakWords: Set<String> = [
    "key", "code", "auth", "signature", "session", "ticket", "access", "refresh", "bearer", "pin", "tokens",
    "keys",
    "assertion", "salt", "seed", "pass", "verifier",
  ]

  private static let lists: Set<String> = ["passwords", "secrets", "credentials", "apikeys", "cookies"]

  /// Pairs that look like credentials by their last word.
  private static let identifierPairs: Set<String> = [
    "idempotencykey", "cachekey", "surrogatekey", "primarykey", "foreignkey", "sortkey", "partitionkey", "objectkey",
    "websocketkey", "publickey", "publishablekey", "issuekey", "projectkey", "countrycode", "languagecode",
    "currencycode", "statuscode", "errorcode", "postalcode", "zipcode", "sourcecode", "tokentype", "hostkey", "sitekey",
    "i18nkey", "translationkey", "messagekey", "routingkey", "keyid",
  ]

  /// Whole names and last words whose values look generated without being secret.
  private static let identifiers: Set<String> = [
    "id", "ids", "uuid", "guid", "ulid", "uid", "name", "to", "from", "etag", "hash", "digest", "checksum", "md5",
    "sha1",
    "sha", "sha256", "sha512", "integrity", "fingerprint", "thumbprint", "commit", "revision", "rev", "version",
    "cursor",
    "next", "previous", "url", "uri", "href", "link", "self", "path", "slug", "image", "icon", "avatar", "thumbnail",
    "content", "data", "body", "blob", "file", "filename", "certificate", "cert", "publickey", "modulus", "n", "x", "y",
    "e", "kid", "x5c", "x5t", "nonce", "traceparent", "tracestate", "boundary", "ref", "reference", "tag", "match",
  ]

  /// Headers whose values look generated without being secret.
  private static let keptHeaders: Set<String> = [
    "idempotencykey", "xidempotencykey", "secwebsocketkey", "secwebsocketaccept", "surrogatekey", "cachekey",
    "xcachekey",
    "etag", "ifmatch", "ifnonematch", "ifrange", "contentmd5", "digest", "contentdigest", "reprdigest", "traceparent",
    "tracestate", "contentsecuritypolicy", "contentsecuritypolicyreportonly", "wwwauthenticate", "proxyauthenticate",
    "contenttype", "contentdisposition", "acceptch", "reportto", "nel", "link", "servertiming", "useragent",
    "signatureinput",
    "age", "via", "xcache", "date", "accept", "host",
  ]
}

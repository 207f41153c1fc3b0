/// Typical values for property names.
package enum NameHints {
  /// A text for a property by the last words of its name: `billing_city`, `homeCity`.
  package static func text(for name: String, _ face: Int) -> String {
    for key in keys(of: name) {
      if let texts = texts[key] { return texts[face % texts.count] }
      if let format = formats[key]?.first, let text = FormatSamples.text(format, face) { return text }
    }
    return word(face)
  }

  /// Whether there are values for a property.
  package static func isKnown(_ name: String) -> Bool {
    keys(of: name).contains { texts[$0] != nil || formats[$0] != nil }
  }

  static func word(_ face: Int) -> String { plainWords[face % plainWords.count] }

  /// A number for a property, as a decimal; `nil` for an unknown name.
  static func number(for name: String) -> String? {
    keys(of: name).lazy.compactMap { numbers[$0]?.first }.first
  }

  /// The last two words of a name, and the last one.
  private static func keys(of name: String) -> [String] {
    let words = words(of: name)
    return [2, 1].filter { $0 <= words.count }.map { words.suffix($0).joined(separator: " ") }
  }

  /// `createdAt`, `created_at`, `CREATED-AT` and `HTTPUrl`, in lower-case words.
  static func words(of name: String) -> [String] {
    var words: [[UInt8]] = [[]]
    var previous: UInt8 = 0
    let bytes = Array(name.utf8)
    for (position, byte) in bytes.enumerated() {
      let isUpper = 65...90 ~= byte
      let isLetter = isUpper || 97...122 ~= byte || byte >= 0x80
      let next = position + 1 < bytes.count ? bytes[position + 1] : 0
      let startsWord = isUpper && (97...122 ~= previous || (65...90 ~= previous && 97...122 ~= next))
      if !isLetter || startsWord, words.last?.isEmpty == false { words.append([]) }
      if isLetter { words[words.count - 1].append(isUpper ? byte | 0x20 : byte) }
      previous = byte
    }
    return words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
  }

  private static let plainWords = [
    "text", "sample", "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "harbour",
  ]

  private static let formats = table(
    """
    at, timestamp, datetime, time: date-time
    date, birthday, deadline: date
    url, uri, link, href, website, homepage, avatar: uri
    uuid, guid: uuid
    ip: ipv4
    host, hostname, domain: hostname
    password: password
    duration: duration
    color, colour, colors, colours: color
    """)

  private static let texts = table(
    """
    name: Ada Lovelace, Grace Hopper, Alan Turing, Edsger Dijkstra
    first name, given name: Ada, Grace, Alan, Edsger
    last name, family name, surname: Lovelace, Hopper, Turing, Dijkstra
    user name, username, login, nickname: ada, grace, alan, edsger
    author: Ada Lovelace, Grace Hopper, Alan Turing
    email, mail: ada@example.com, grace@example.org, alan@example.net
    phone, phone number, mobile: +12025550143, +12025550178, +12025550119
    city: Berlin, Lisbon, Kyoto, Toronto
    country: Germany, Portugal, Japan, Canada
    country code: DE, PT, JP, CA
    region: Bavaria, Ontario, Kansai
    street, address: 12 Market Street, 7 Mill Lane, 31 Harbour Road
    zip, zip code, postal code, postcode: 10115, 80331, 50667
    permissions, allow, deny, flags, bits, mask, discriminator: 0, 8, 1024
    currency, currency code: EUR, USD, JPY
    price, amount: 9.99, 24.50, 3.20
    language: en, de, ja
    locale: en-US, de-DE, ja-JP
    timezone, time zone: Europe/Berlin, America/Toronto, Asia/Tokyo
    company, organization: Example Ltd, Sample Works, Acme
    title: A short title, Another title, A third title
    subject: A short subject, Another subject
    description: A short description, Another description
    summary: A short summary, Another summary
    comment: A short comment, Another comment
    message: A short message, Another message
    error: Something went wrong, Not found
    reason: No longer needed, Changed plans
    status, state: active, pending, closed
    type: standard, extended
    category: general, special
    tag, label: blue, green, amber
    id: a1b2c3, d4e5f6, a7b8c9, d0e1f2
    key: key, key2, key3
    token, hash, verify key, public key: 3f2a9c71d0, 8b4e6f25a1, c9d7e3b042
    code: A1, B2, C3
    version: 1.0.0, 1.1.0, 2.0.0
    file, filename, file name: report.pdf, photo.png, notes.txt
    path: /reports/2024, /photos/1
    mime type, content type: application/pdf, image/png, text/plain
    gender: female, male, diverse
    unit: kg, m, l
    year: 2024, 2025
    """)

  private static let numbers = table(
    """
    id, page, version, position: 1
    age: 36
    year: 2024
    month: 5
    day: 17
    hour: 9
    minute: 30
    price, amount, cost: 9.99
    total: 24.5
    tax: 1.9
    count: 3
    quantity: 2
    size, length: 10
    limit: 20
    offset, index: 0
    lat, latitude: 52.52
    lon, lng, long, longitude: 13.405
    port: 8080
    status, code: 200
    timestamp, at, time: 1700000000
    percent, percentage: 50
    rating, score: 4.5
    width: 640
    height: 480
    duration: 60
    weight: 2.5
    temperature: 21.5
    """)

  /// Reads lines of names and their values: `zip, postcode: 10115, 80331`.
  private static func table(_ text: String) -> [String: [String]] {
    text.split(separator: "\n").reduce(into: [:]) { table, line in
      let sides = line.split(separator: ": ").map { $0.split(separator: ", ").map(String.init) }
      for name in sides[0] { table[name] = sides[1] }
    }
  }
}

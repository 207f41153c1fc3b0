/// Sets of characters that ECMA-262 and PCRE2 spell differently.
enum UnicodeSet {
  /// `\s`: white space and line terminators (ECMA-262, 22.2.2.9), as the content of a class.
  static let space =
    #"\x{9}-\x{d}\x{20}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}"#
  /// `\S`: all other scalars.
  static let notSpace =
    #"\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}"#
    + #"\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}"#

  /// The name of a property, or of its opposite, in PCRE2: `Letter`, `gc=Lu`, `Script=Greek`, `Alphabetic`.
  static func property(_ text: String) -> (name: String, isNegated: Bool)? {
    // PCRE2 only has a name for unassigned ones.
    text == "Assigned" ? ("Cn", true) : positiveProperty(text).map { ($0, false) }
  }

  /// Properties of ECMA-262 (table 68) without a name in PCRE2.
  static let unknownToPCRE2: Set<String> = ["Changes_When_NFKC_Casefolded", "CWKCF"]

  private static func positiveProperty(_ text: String) -> String? {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.allSatisfy({ part in !part.isEmpty && part.utf8.allSatisfy(isNameByte) }) else { return nil }
    guard parts.count == 2 else { return categories[text] ?? text }
    switch parts[0] {
    case "General_Category", "gc": return categories[parts[1]] ?? parts[1]
    case "Script", "sc": return "sc:" + parts[1]
    case "Script_Extensions", "scx": return "scx:" + parts[1]
    default: return nil
    }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool { Format.isAlphanumeric(byte) || byte == UInt8(ascii: "_") }

  /// The long names of the general categories (PropertyValueAliases of Unicode).
  private static let categories: [String: String] = [
    "Letter": "L", "Cased_Letter": "L&", "LC": "L&", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll",
    "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Combining_Mark": "M",
    "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd",
    "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "punct": "P",
    "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe",
    "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf", "Other_Punctuation": "Po", "Symbol": "S",
    "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Separator": "Z",
    "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc",
    "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs", "Private_Use": "Co", "Unassigned": "Cn",
  ]
}

/// Every case of the official suite that we read otherwise than it says, and why.
///
/// All but the first two groups are libyaml's: it was written for YAML 1.1 and knows a part of 1.2.
enum YAMLTestSuiteDifferences {
  /// The reason of each case.
  static let table: [String: String] = Dictionary(
    uniqueKeysWithValues: groups.flatMap { group in group.cases.split(separator: " ").map { (String($0), group.reason) }
    })

  private static let groups: [(reason: String, cases: String)] = [
    (
      "several documents in one text: refused on purpose, a file holds one contract or fixture",
      "35KP 5TYM 6WLZ 6XDY 6ZKB 7Z25 9DXL 9KAX 9WXW JHB9 KSS4 L383 M7A3 PUW8 RZT7 U9NS UT92 W4TN"
    ),
    (
      "no document at all: an empty text reads as null, and a reader of contracts refuses that",
      "8G76 98YD AVM7"
    ),
    (
      "a lone document end mark: libyaml wants a document before it",
      "HWV9 QT73"
    ),
    (
      "libyaml refuses directives that it does not know, where 1.2 says to ignore them",
      "2LFX 6LVF MUS6/05 MUS6/06 BEC7"
    ),
    (
      "libyaml takes a comment that follows a directive without a blank",
      "MUS6/00"
    ),
    (
      "libyaml follows 1.1: within braces and brackets a `:` needs a blank before what it separates, and starts no text",
      "4MUZ/00 4MUZ/01 4MUZ/02 58MP 5MUD 5T43 9SA2 DBG4 HM87/00 K3WX NJ66 VJP3/01"
    ),
    (
      "libyaml reads a `?` within braces and brackets as the mark of a key, without a blank behind it",
      "652Z HM87/01"
    ),
    (
      "libyaml takes a lone `-` within brackets for text",
      "G5U8 YJV2"
    ),
    (
      "libyaml allows letters, digits, `-` and `_` in names of anchors, 1.2 nearly everything",
      "2SXE 8XYN W5VH Y2GN"
    ),
    (
      "libyaml takes no tab as white space at the start of a line or behind `-`",
      "6BCT 6CA3 A2M4 DK95/00 DK95/03 DK95/04 Q5MG Y79Y/010"
    ),
    (
      "libyaml does not check tabs in continuation lines of quoted text and brackets",
      "DK95/01 Y79Y/003"
    ),
    (
      "libyaml does not check the indentation of continuation lines in quotes and brackets",
      "9C9N QB6E"
    ),
    (
      "libyaml takes a comment without a blank before its `#`",
      "9JBA CVW2 SU5Z X4QW"
    ),
    (
      "libyaml refuses block text without indentation at the top of a document",
      "DK3J FP8R"
    ),
    (
      "libyaml does not count a last line of blanks without a line break, nor check its indentation",
      "JEF9/02 L24T/01 S98Z"
    ),
  ]
}

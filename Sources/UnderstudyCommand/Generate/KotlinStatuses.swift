/// The statuses as enumerations in Kotlin.
enum KotlinStatuses {
  static func text(of lists: [StatusList], note: String, package: String?) -> String {
    var text = note + "\n"
    if let package { text += "\npackage \(package)\n" }
    for list in lists where !list.statuses.isEmpty {
      text += "\n/** \(list.description.joined(separator: " ")) */\n"
      text += "enum class \(list.typeName)Status(val code: Int) {\n"
      for (position, status) in list.statuses.enumerated() {
        if !status.summary.isEmpty { text += "    /** \(status.summary) */\n" }
        text += "    \(constant(status.name))(\(status.code))\(position + 1 == list.statuses.count ? ";" : ",")\n"
      }
      text += "\n    companion object {\n"
      // `entries` is not known before Kotlin 1.9.
      let first = "values().firstOrNull { it.code == code }"
      text += "        fun of(code: Int): \(list.typeName)Status? = \(first)\n    }\n}\n"
    }
    return text
  }

  /// `penaltyFirst` as `PENALTY_FIRST`.
  private static func constant(_ name: String) -> String {
    var result = ""
    var wasLower = false
    for character in name {
      if character.isUppercase, wasLower { result += "_" }
      wasLower = character.isLowercase || character.isNumber
      result += character.uppercased()
    }
    return result
  }
}

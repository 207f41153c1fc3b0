import ArgumentParser
import UnderstudyVerification

/// The names of a setting: its flag, its environment variable and its key in `understudy.yaml`, each `nil` without one.
package struct SettingNames: Sendable {
  /// The long name without dashes.
  package let flag: String?
  package let variable: String?
  package let key: String?
  /// Whether the key is below `verify: live:`.
  package let isLive: Bool

  /// All settings.
  package static var all: [SettingNames] { SettingKeys.list.map(\.names) }
}

/// The declaration of a setting: its names, and how its value in the config file is read.
struct SettingKey<Value: Sendable>: AnySettingKey {
  let names: SettingNames
  private let read: (@Sendable (JSON, SettingsReader) -> Value?)?

  /// - Parameters:
  ///   - flag: The name of the flag, unless it is the key.
  ///   - read: Reads the value in the config file; a setting without it has no key.
  init(
    _ key: String, flag: String? = nil, hasFlag: Bool = true, variable: String? = nil, isLive: Bool = false,
    read: (@Sendable (JSON, SettingsReader) -> Value?)? = nil
  ) {
    names = SettingNames(
      flag: hasFlag ? flag ?? key : nil, variable: variable, key: read == nil ? nil : key, isLive: isLive)
    self.read = read
  }

  /// The text of the environment variable.
  var environment: String? { names.variable.flatMap { Environment[$0] } }

  func value(in mapping: JSON?, _ reader: SettingsReader) -> (any Sendable)? {
    names.key.flatMap { mapping?[$0] }.flatMap { read?($0, reader) }
  }

  fileprivate func flag(_ short: Character?) -> NameSpecification {
    let long = NameSpecification.Element.customLong(names.flag ?? "")
    return short.map { [.customShort($0), long] } ?? [long]
  }
}

/// A setting with a value of any type.
protocol AnySettingKey: Sendable {
  var names: SettingNames { get }

  /// Reads the value in a mapping of the config file; `nil` without a valid one.
  func value(in mapping: JSON?, _ reader: SettingsReader) -> (any Sendable)?
}

/// The flags of settings have the names of their declarations.
extension Option {
  init<T: ExpressibleByArgument, V>(
    _ setting: KeyPath<SettingKeys, SettingKey<V>>, short: Character? = nil, value: String? = nil, help: String
  ) where Value == T? {
    self.init(name: SettingKeys.all[keyPath: setting].flag(short), help: ArgumentHelp(help, valueName: value))
  }

  init<T, V>(
    _ setting: KeyPath<SettingKeys, SettingKey<V>>, short: Character? = nil, help: String,
    transform: @Sendable @escaping (String) throws -> T
  ) where Value == T? {
    self.init(name: SettingKeys.all[keyPath: setting].flag(short), help: ArgumentHelp(help), transform: transform)
  }

  init<T: ExpressibleByArgument, V>(
    wrappedValue: [T], _ setting: KeyPath<SettingKeys, SettingKey<V>>, value: String, help: String
  ) where Value == [T] {
    let name = SettingKeys.all[keyPath: setting].flag(nil)
    self.init(wrappedValue: wrappedValue, name: name, help: ArgumentHelp(help, valueName: value))
  }
}

extension Flag where Value == Bool? {
  init(_ setting: KeyPath<SettingKeys, SettingKey<Bool>>, short: Character? = nil, help: String) {
    self.init(name: SettingKeys.all[keyPath: setting].flag(short), inversion: .prefixedNo, help: ArgumentHelp(help))
  }
}

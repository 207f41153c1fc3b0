// swift-tools-version: 6.2
import PackageDescription

/// A package outside of this one, whose statuses are written before each build.
let package = Package(
  name: "plugin-consumer",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "understudy", path: "../..")],
  targets: [
    .executableTarget(name: "Chat", plugins: [.plugin(name: "UnderstudyStatuses", package: "understudy")]),
    .testTarget(
      name: "ChatTests", dependencies: [.product(name: "UnderstudyTesting", package: "understudy")],
      plugins: [.plugin(name: "UnderstudyStatuses", package: "understudy")]),
  ]
)

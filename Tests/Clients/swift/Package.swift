// swift-tools-version: 6.2
import PackageDescription

/// The tests of UnderstudyClient, in a package of their own: its build needs none of the C libraries, as that of a user.
let package = Package(
  name: "clients",
  platforms: [.macOS(.v15), .iOS(.v15)],
  dependencies: [
    .package(name: "understudy", path: "../../.."),
    .package(name: "examples", path: "../../../Examples"),
  ],
  targets: [
    .testTarget(
      name: "UnderstudyClientTests",
      dependencies: [
        .product(name: "UnderstudyClient", package: "understudy"),
        .product(name: "BuggyClients", package: "examples"),
      ])
  ]
)

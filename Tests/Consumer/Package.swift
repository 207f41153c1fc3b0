// swift-tools-version: 6.2
import PackageDescription

/// A package outside of this one: it sees only what the products of Understudy make public.
let package = Package(
  name: "consumer",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "understudy", path: "../..")],
  targets: [
    .executableTarget(
      name: "Consumer",
      dependencies: [
        .product(name: "UnderstudySchema", package: "understudy"),
        .product(name: "UnderstudyMock", package: "understudy"),
        .product(name: "UnderstudyServer", package: "understudy"),
        .product(name: "UnderstudyVerification", package: "understudy"),
      ]),
    .testTarget(
      name: "ConsumerTests", dependencies: [.product(name: "UnderstudyTesting", package: "understudy")]),
  ]
)

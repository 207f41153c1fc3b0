/// A page such as gateways send in place of data.
package enum HostilePage {
  package static let bytes = Array("<!DOCTYPE html><html><body>Gateway</body></html>\n".utf8)
}

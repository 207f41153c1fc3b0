/// Reads a contract of any version from a file.
public enum OpenAPIReader {}

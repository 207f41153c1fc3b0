// A request as a line of code.

const implied = ['host', 'content-length', 'connection', 'accept-encoding', 'user-agent'];
const own = (sent) => sent.headers.filter((header) => !implied.includes(header.name.toLowerCase()));
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const escapes = {'"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t'};
/** A literal of Swift. */
const literal = (value) => `"${value.replace(/["\\\u0000-\u001f\u007f]/g, (letter) =>
  escapes[letter] ?? `\\u{${letter.charCodeAt(0).toString(16)}}`)}"`;

const isBinary = (sent) => sent.postData?.encoding === 'base64';

export function curl(sent) {
  const method = {GET: [], HEAD: ['--head']}[sent.method] ?? [`-X ${sent.method}`];
  const words = ['curl -i', ...method, ...(/[[\]{}]/.test(sent.url) ? ['-g'] : []), quoted(sent.url),
    ...own(sent).map((header) => `-H ${quoted(`${header.name}: ${header.value}`)}`)];
  const text = sent.postData?.text;
  if (!text) return words.join(' ');
  if (isBinary(sent)) return `echo ${text} | base64 -d | ${[...words, '--data-binary @-'].join(' ')}`;
  return [...words, `--data-raw ${quoted(text)}`].join(' ');
}

export function swift(sent) {
  return [`var request = URLRequest(url: URL(string: ${literal(sent.url)})!)`,
    `request.httpMethod = ${literal(sent.method)}`,
    ...own(sent).map((header) =>
      `request.setValue(${literal(header.value)}, forHTTPHeaderField: ${literal(header.name)})`),
    ...(sent.postData?.text ? [isBinary(sent)
      ? `request.httpBody = Data(base64Encoded: ${literal(sent.postData.text)})`
      : `request.httpBody = Data(${literal(sent.postData.text)}.utf8)`] : [])].join('\n');
}

export const test = (request) => `api.reply(to: ${literal(request.operation)}, ${request.status})`;

// A request as a line of code.

const implied = ['host', 'content-length', 'connection', 'accept-encoding', 'user-agent'];
const own = (sent) => sent.headers.filter((header) => !implied.includes(header.name.toLowerCase()));
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const literal = (value) => JSON.stringify(value).replaceAll('\\/', '/');

export function curl(sent) {
  return ['curl -i', ...(sent.method === 'GET' ? [] : [`-X ${sent.method}`]), quoted(sent.url),
    ...own(sent).map((header) => `-H ${quoted(`${header.name}: ${header.value}`)}`),
    ...(sent.postData?.text ? [`--data-raw ${quoted(sent.postData.text)}`] : [])].join(' ');
}

export function swift(sent) {
  return [`var request = URLRequest(url: URL(string: ${literal(sent.url)})!)`,
    `request.httpMethod = ${literal(sent.method)}`,
    ...own(sent).map((header) =>
      `request.setValue(${literal(header.value)}, forHTTPHeaderField: ${literal(header.name)})`),
    ...(sent.postData?.text ? [`request.httpBody = Data(${literal(sent.postData.text)}.utf8)`] : [])].join('\n');
}

export const test = (request) => `api.reply(to: ${literal(request.operation)}, ${request.status})`;

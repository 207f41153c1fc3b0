// The admin API of the mock that serves this page.

// The admin API answers to no other page, those of an upstream included.
export const key = document.querySelector('meta[name=understudy-key]').content;
/** The address of a resource that the browser itself asks for. */
export const address = (path) => `${path}${path.includes('?') ? '&' : '?'}key=${key}`;

/** Sends a request; throws an error with the reason of a refusal. */
export async function call(method, path, body) {
  const response = await fetch(path, {
    method, cache: 'no-store',
    headers: {'Understudy-Console': key, ...(body === undefined ? {} : {'Content-Type': 'application/json'})},
    ...(body === undefined ? {} : {body: JSON.stringify(body)}),
  });
  const value = await response.json();
  if (!response.ok) throw new Error(value.detail ?? `${response.status}`);
  return value;
}

export const lane = (name) => `lanes/${encodeURIComponent(name)}`;

/** Gets the journal as it grows, and the open streams. `onState` gets whether the connection stands. */
export function follow(after, onRequests, onStreams, onState) {
  const source = new EventSource(address(`events?after=${after}`));
  source.addEventListener('open', () => onState(true));
  source.addEventListener('error', () => onState(false));
  source.addEventListener('requests', (event) => {
    const {requests, skipped} = JSON.parse(event.data);
    onRequests(requests, skipped);
  });
  source.addEventListener('streams', (event) => onStreams(JSON.parse(event.data).streams));
}

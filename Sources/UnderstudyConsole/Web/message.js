// Header fields and bodies: JSON folded, images shown, binary as hex.

import {make} from './dom.js';

const nodeLimit = 2000;
const hexLimit = 1024;

export function headers(list) {
  const lines = list.map((header) => `${header.name}: ${header.value}`).join('\n');
  return make('pre', {tabIndex: 0}, lines || 'no header fields');
}

/** The elements of a body; none without one. */
export function body(text, type = '', encoding) {
  if (!text) return [];
  if (encoding === 'base64') return [binary(text, type)];
  try {
    const value = JSON.parse(text);
    if (value !== null && typeof value === 'object') {
      const left = {count: nodeLimit};
      const tree = node(value, '', left, 0);
      if (left.count > 0) return [make('div', {className: 'json', tabIndex: 0}, tree)];
      return [make('pre', {tabIndex: 0}, JSON.stringify(value, null, 2))];
    }
  } catch { /* It is text. */ }
  return [make('pre', {tabIndex: 0}, text)];
}

function binary(text, type) {
  const media = type.split(';')[0].trim().toLowerCase();
  if (['image/png', 'image/jpeg', 'image/gif', 'image/webp'].includes(media)) {
    return make('img', {src: `data:${media};base64,${text}`, alt: `an image of the type ${media}`});
  }
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const lines = [];
  for (let start = 0; start < Math.min(bytes.length, hexLimit); start += 16) {
    const part = [...bytes.slice(start, start + 16)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ').padEnd(48);
    const letters = part.map((byte) => byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.').join('');
    lines.push(`${start.toString(16).padStart(6, '0')}  ${hex} ${letters}`);
  }
  if (bytes.length > hexLimit) lines.push(`and ${bytes.length - hexLimit} more bytes`);
  return make('pre', {className: 'hex', tabIndex: 0}, lines.join('\n'));
}

function node(value, name, left, depth) {
  left.count -= 1;
  const label = name === '' ? '' : make('span', {className: 'key'}, `${name}: `);
  if (left.count <= 0) return make('div', {}, label, '…');
  if (value === null || typeof value !== 'object') {
    return make('div', {}, label, make('span', {className: `json-${value === null ? 'null' : typeof value}`},
      JSON.stringify(value)));
  }
  const entries = Object.entries(value);
  const [start, end] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (!entries.length) return make('div', {}, label, start + end);
  return make('details', {open: depth < 3},
    make('summary', {}, label, `${start} `, make('span', {className: 'soft'}, `${entries.length}`), ` ${end}`),
    make('div', {className: 'inner'}, entries.map(([key, item]) =>
      node(item, Array.isArray(value) ? key : JSON.stringify(key), left, depth + 1))));
}

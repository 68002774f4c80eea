import { parseCidr, parseIp } from './ip-address.js';

/** Formats of strings that a CustomResourceDefinition may ask for, and what Go's `strfmt` makes of them. */
const checks: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: (text) => /^[0-9a-fA-F]{24}$/.test(text),
  uri: isRequestUri,
  email: isEmail,
  hostname: isHostname,
  ipv4: (text) => parseIp(text, 'sloppy') !== undefined && text.includes('.'),
  ipv6: (text) => parseIp(text, 'strict') !== undefined && text.includes(':'),
  cidr: (text) => parseCidr(text, 'sloppy') !== undefined,
  mac: isMac,
  uuid: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  uuid3: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  uuid4: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text),
  uuid5: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: (text) => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text),
  rgbcolor: (text) => {
    const part = '(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])';
    return new RegExp(`^rgb\\(\\s*${part}\\s*,\\s*${part}\\s*,\\s*${part}\\s*\\)$`).test(text);
  },
  byte: (text) => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/.test(text),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (text) => text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text),
  k8slongname: (text) => text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text),
};

/** The format that is checked: empty when the server does not know it for values of that type (CD-24). */
export function supportedFormat(format: string, type: string): string {
  switch (type) {
    case '':
    case 'string':
      return Object.hasOwn(checks, normalized(format)) ? format : '';
    case 'integer':
      return format === 'int32' || format === 'int64' ? format : '';
    case 'number':
      return format === 'float' || format === 'double' ? format : '';
    default:
      return '';
  }
}

/** @returns undefined when strings have no such format. */
export function formatCheck(format: string): ((text: string) => boolean) | undefined {
  const name = normalized(format);
  return Object.hasOwn(checks, name) ? checks[name] : undefined;
}

function normalized(format: string): string {
  return format.replaceAll('-', '');
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return month >= 1 && month <= 12 && day >= 1 && day <= (days[month - 1] as number);
}

function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date)) return false;
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/.exec(time);
  if (match === null) return false;
  const [, hours = '', minutes = '', seconds = ''] = match;
  return hours <= '23' && minutes <= '59' && seconds <= '59';
}

/** Go's own durations, and Scala's (`22 ns`, `3 days`). */
function isDuration(text: string): boolean {
  if (/^[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return true;
  const exact = ['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk'];
  const beginnings = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];
  return [...text.matchAll(/\d+\s*([A-Za-zµ]+)/g)].some(([, unit = '']) => {
    const lower = unit.toLowerCase();
    return exact.includes(lower) || beginnings.some((beginning) => lower.startsWith(beginning));
  });
}

/** Go's `url.ParseRequestURI`: an absolute URI or an absolute path. */
function isRequestUri(text: string): boolean {
  return /^([A-Za-z][A-Za-z0-9+.-]*:|\/)/.test(text) && isUriText(text.replace(/^[A-Za-z][A-Za-z0-9+.-]*:/, ''), text.startsWith('/'));
}

function isUriText(rest: string, isPath: boolean): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\u0000-\u001f\u007f]/.test(rest)) return false;
  if (/%(?![0-9A-Fa-f]{2})/.test(rest.split('?')[0] as string)) return false;
  if (!isPath && !rest.startsWith('/')) return true;
  if (!rest.startsWith('//')) return true;
  const authority = (rest.slice(2).split(/[/?]/)[0] ?? '').replace(/^[^@]*@/, '');
  if (authority.startsWith('[')) return /^\[[^\]]*\](:\d*)?$/.test(authority);
  return /^[^\s<>"{}|\\^`[\]:]*(:\d*)?$/.test(authority);
}

/** The addresses of RFC 5322 that anybody uses, with or without a name: `a@b`, `A B <a@b>`. */
function isEmail(text: string): boolean {
  const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u0080-\\u{10ffff}-]+";
  const dotAtom = `${atom}(\\.${atom})*`;
  const quoted = '"([^"\\\\]|\\\\.)*"';
  const address = `(${dotAtom}|${quoted})@(${dotAtom}|\\[[^\\]]*\\])`;
  const phrase = `((${atom}|${quoted}|\\.)\\s*)*`;
  return new RegExp(`^\\s*(${address}|${phrase}<${address}>)\\s*$`, 'u').test(text);
}

const hostname =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;

function isHostname(text: string): boolean {
  return hostname.test(text) && Buffer.byteLength(text) <= 255 && text.split('.').every((label) => Buffer.byteLength(label) <= 63);
}

function isMac(text: string): boolean {
  return /^[0-9a-fA-F]{2}(?:([:-])[0-9a-fA-F]{2}(?:\1[0-9a-fA-F]{2}){4}(?:(?:\1[0-9a-fA-F]{2}){2}|(?:\1[0-9a-fA-F]{2}){14})?)$|^[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4}){2}$|^[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4}){3}$|^[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4}){9}$/.test(
    text,
  );
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, index) => total + (index + 1) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^[0-9]{13}$/.test(digits)) return false;
  return [...digits].reduce((total, digit, index) => total + (index % 2 === 0 ? 1 : 3) * Number(digit), 0) % 10 === 0;
}

const cardNumber =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!cardNumber.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = index % 2 === 0 ? Number(digit) : Number(digit) * 2;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

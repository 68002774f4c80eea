import { type Document, isCollection, parseAllDocuments, type Tags, visit, type YAMLError } from 'yaml';

/** YAML text as Go reads it: the value and what it says of keys that came twice, or Go's words for what is wrong. */
export type GoYaml = { readonly value: unknown; readonly duplicates: readonly string[] } | { readonly fault: string };

/** YAML 1.1 as Go reads it: of several documents the first, `yes` is true, and a date is a text. */
const yaml = {
  version: '1.1',
  schema: 'yaml-1.1',
  customTags: (tags: Tags) => tags.filter((tag) => typeof tag === 'string' || !/timestamp|binary|omap|pairs|set$/.test(tag.tag)),
  logLevel: 'error',
} as const;

/** Deeper collections would be more than the reader's stack can hold; Go goes ten times as deep. */
const deepestFlow = 1_000;
const tooDeep = { fault: 'yaml: exceeded max depth of 10000' };

/** Reads the first document of a YAML text (CR-15). */
export function parseGoYaml(text: string): GoYaml {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what YAML forbids.
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text)) return { fault: 'yaml: control characters are not allowed' };
  if (isTooDeep(text)) return tooDeep;
  try {
    return read(text);
  } catch (error) {
    if (error instanceof RangeError) return tooDeep;
    throw error;
  }
}

function read(text: string): GoYaml {
  const parsed = parseAllDocuments(text, { ...yaml, prettyErrors: true });
  const document = 'empty' in parsed ? undefined : parsed[0];
  if (document === undefined) return { value: null, duplicates: [] };
  const duplicates: string[] = [];
  for (const error of document.errors) {
    if (error.code !== 'DUPLICATE_KEY') return { fault: `yaml: ${faultOf(error, text)}` };
    const key = (/^("[^"]*"|'[^']*'|[^:\s]+)/.exec(text.slice(error.pos[0]))?.[0] ?? '').replace(/^(["'])(.*)\1$/, '$2');
    duplicates.push(`line ${error.linePos?.[0].line ?? 1}: key ${JSON.stringify(key)} already set in map`);
  }
  const unfit = unfitNode(document);
  if (unfit !== undefined) return { fault: `yaml: ${unfit}` };
  const whole = duplicates.length === 0 ? document : parseAllDocuments(text, { ...yaml, uniqueKeys: false })[0];
  try {
    return { value: (whole?.toJS() as unknown) ?? null, duplicates };
  } catch (error) {
    if (error instanceof ReferenceError) return { fault: 'yaml: document contains excessive aliasing' };
    throw error;
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > deepestFlow) return true;
  }
  return false;
}

/** An alias for nothing, or a key that is no scalar. */
function unfitNode(document: Document.Parsed): string | undefined {
  let fault: string | undefined;
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document) !== undefined) return undefined;
      fault = `unknown anchor '${alias.source}' referenced`;
      return visit.BREAK;
    },
    Pair: (_, { key }) => {
      if (!isCollection(key)) return undefined;
      fault = `invalid map key: ${goSyntax(key.toJS(document))}`;
      return visit.BREAK;
    },
  });
  return fault;
}

/** A value as Go's `%#v` shows it. */
function goSyntax(value: unknown): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (typeof value !== 'object' || value === null) return value === null ? 'interface {}(nil)' : JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${goSyntax(member)}`);
  return `map[interface {}]interface {}{${members.join(', ')}}`;
}

/** Go's scanner names the line in which it stands, its parser the one before; the first is not named at all. */
function faultOf({ code, message, pos, linePos }: YAMLError, text: string): string {
  const line = linePos?.[0].line ?? 1;
  const scanned = (what: string, at = line) => (at > 1 ? `line ${at}: ${what}` : what);
  const parsed = (what: string, at = line) => (at > 1 ? `line ${at - 1}: ${what}` : what);
  const end = text.split('\n').length + (text.endsWith('\n') ? 0 : 1);
  switch (code) {
    case 'TAB_AS_INDENT':
    case 'BAD_SCALAR_START':
      return scanned('found character that cannot start any token');
    case 'BLOCK_AS_IMPLICIT_KEY': {
      const colon = text.slice(pos[0]).search(/:(\s|$)/);
      return scanned('mapping values are not allowed in this context', text.slice(0, pos[0] + colon).split('\n').length);
    }
    case 'MISSING_CHAR':
      if (message.includes('quote')) return scanned('found unexpected end of stream', text.trimEnd().split('\n').length);
      if (message.includes('- indicator')) return parsed("did not find expected '-' indicator");
      break;
    case 'MULTILINE_IMPLICIT_KEY':
      return parsed('did not find expected key');
    case 'BAD_INDENT':
      if (!message.startsWith('Flow')) return parsed('did not find expected key');
      break;
    case 'UNEXPECTED_TOKEN':
      if (/flow-(map|seq)-end/.test(message)) return parsed('did not find expected node content');
      return parsed(
        text.slice(0, pos[0]).trimStart().startsWith('- ') ? "did not find expected '-' indicator" : 'did not find expected key',
      );
  }
  if (!message.startsWith('Flow')) return parsed('did not find expected node content');
  if (/[[{,]\s*$/.test(text)) return parsed('did not find expected node content', end);
  return parsed(`did not find expected ',' or '${message.startsWith('Flow map') ? '}' : ']'}'`, end);
}

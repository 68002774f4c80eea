import { Document, Scalar, visit } from 'yaml';

/** The server's own writer folds a text at the first blank after so many columns. */
const FOLD_AFTER = 80;

const layout = { lineWidth: 0, singleQuote: true, indentSeq: false } as const;

/** Whether a text needs quotes; where it has single ones the library would rather have it in double ones than repeat them. */
function isQuoted(text: string): boolean {
  return new Document({ a: text }, { version: '1.1' }).toString(layout).startsWith('a: "');
}

/** A value as the API server writes YAML: keys sorted, texts that an older YAML would take for something else in double quotes (HT-15). */
export function yamlText(value: unknown): string {
  const document = new Document(value, { version: '1.1', sortMapEntries: true, aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value !== 'string') return;
      if (node.value === '' || readsAsOther(node.value) || unprintable.test(node.value)) node.type = Scalar.QUOTE_DOUBLE;
      else if (/^[ -!#-~]*'[ -!#-~]*$/.test(node.value) && isQuoted(node.value)) node.type = Scalar.QUOTE_SINGLE;
    },
  });
  // The `.` of managedFields is a number to the library, and none to the server.
  const text = document.toString(layout).replace(/^([ -]*)'\.':/gm, '$1.:');
  return text.split('\n').map(folded).join('\n').replace(new RegExp(unprintable, 'gu'), escaped);
}

/** What the server does not write as it is. */
const unprintable = /[\ufeff\u{10000}-\u{10ffff}]/u;

function escaped(character: string): string {
  const code = (character.codePointAt(0) as number).toString(16).toUpperCase();
  return character === '\ufeff' ? `\\u${code}` : `\\U${code.padStart(8, '0')}`;
}

/** Numbers, dates, booleans and nulls of YAML 1.1. */
function readsAsOther(text: string): boolean {
  const number = /^[-+]?(0x[0-9a-f_]+|0b[01_]+|0o?[0-7_]+|[0-9][0-9_]*|(\.[0-9]+|[0-9]+(\.[0-9]*)?)(e[-+]?[0-9]+)?|\.inf)$/i;
  const other = /^(\d{4}-\d\d?-\d\d?([Tt ].*)?|~|null|true|false|yes|no|on|off|y|n|\.nan)$/i;
  return number.test(text) || other.test(text);
}

function folded(line: string): string {
  const start = /^(\s*)(- )*([^"':]+: )?/.exec(line) as RegExpExecArray;
  const blank = line.indexOf(' ', FOLD_AFTER + 1);
  if (blank < 0 || line[start[0].length] === '"') return line;
  const indent = `${start[1]}  `;
  return `${line.slice(0, blank)}\n${folded(`${indent}${line.slice(blank + 1)}`)}`;
}

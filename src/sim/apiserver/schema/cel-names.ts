const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

const replacements: Readonly<Record<string, string>> = { __: '__underscores__', '.': '__dot__', '-': '__dash__', '/': '__slash__' };

/** How a rule names a property (CD-44). @returns undefined for a property that no rule can name. */
export function celName(property: string): string | undefined {
  if (property === '' || /^[0-9]/.test(property)) return undefined;
  if (reserved.has(property)) return `__${property}__`;
  if (!/^[A-Za-z0-9_./-]+$/.test(property)) return undefined;
  return property.replace(/__|[./-]/g, (part) => replacements[part] as string);
}

/** The structs that a Go source declares at its top: the name of each, and the lines between its braces. */
export function structsIn(source: string): readonly (readonly [name: string, body: string])[] {
  return [...source.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)].map(([, name = '', body = '']) => [name, body]);
}

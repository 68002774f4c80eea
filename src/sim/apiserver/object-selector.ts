/** A selector as objects carry it; a ReplicationController's and a Service's is a plain map of labels. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** An empty selector matches everything, an absent one nothing. */
export function selects(selector: LabelSelector | undefined, labels: Readonly<Record<string, string>> = {}): boolean {
  if (selector === undefined) return false;
  const value = (key: string) => (Object.hasOwn(labels, key) ? labels[key] : undefined);
  for (const [key, wanted] of Object.entries(selector.matchLabels ?? {})) if (value(key) !== wanted) return false;
  return (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
    const found = value(key);
    switch (operator) {
      case 'In':
        return found !== undefined && values.includes(found);
      case 'NotIn':
        return found === undefined || !values.includes(found);
      case 'Exists':
        return found !== undefined;
      default:
        return found === undefined;
    }
  });
}

/** UP-21: a selector as text, its requirements sorted by key. */
export function selectorText(selector: LabelSelector | Readonly<Record<string, string>> | undefined): string {
  if (selector === undefined) return '';
  const labels = 'matchLabels' in selector || 'matchExpressions' in selector ? (selector as LabelSelector).matchLabels : selector;
  const requirements = Object.entries((labels ?? {}) as Readonly<Record<string, string>>).map(([key, value]) => ({
    key,
    text: `${key}=${value}`,
  }));
  for (const { key, operator, values } of (selector as LabelSelector).matchExpressions ?? []) {
    requirements.push({ key, text: expressionText(key, operator, [...(values ?? [])].sort().join(',')) });
  }
  return requirements
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ text }) => text)
    .join(',');
}

function expressionText(key: string, operator: string, values: string): string {
  switch (operator) {
    case 'In':
      return `${key} in (${values})`;
    case 'NotIn':
      return `${key} notin (${values})`;
    case 'Exists':
      return key;
    default:
      return `!${key}`;
  }
}

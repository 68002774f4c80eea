/**
 * Writes src/sim/apiserver/data/internal-forms.ts from the sources of a server, the folder of its Go module:
 *   npx jiti test/conformance/generate-internal-forms.ts <folder of k8s.io/kubernetes>
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { structsIn } from './go-sources.js';

/** What the server prints in its errors (FE-7, TK-10), and all that these are made of. */
const roots = [
  'core.PodSpec',
  'core.EphemeralContainer',
  'core.PodTemplateSpec',
  'core.PersistentVolumeClaimSpec',
  'core.PersistentVolumeSource',
  'core.NodeAffinity',
  'core.VolumeNodeAffinity',
  'core.Taint',
  'core.Toleration',
  'core.PodResourceClaim',
  'core.PodIP',
  'core.HostIP',
  'core.LocalObjectReference',
  'apps.DeploymentStrategy',
  'apps.StatefulSetUpdateStrategy',
  'apps.DaemonSetUpdateStrategy',
  'batch.PodFailurePolicy',
  'batch.SuccessPolicy',
  'networking.IngressClassParametersReference',
  'rbac.RoleRef',
  'storage.VolumeAttachmentSpec',
];

const source = process.argv[2];
if (source === undefined) throw new Error('usage: generate-internal-forms <folder of the Go module k8s.io/kubernetes>');

const structs = new Map<string, string>();
const basics = new Map<string, string>();
for (const name of ['core', 'apps', 'batch', 'networking', 'rbac', 'storage', 'autoscaling', 'policy']) {
  const text = readFileSync(join(source, 'pkg/apis', name, 'types.go'), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  for (const [type, body] of structsIn(text)) structs.set(`${name}.${type}`, body);
  for (const [, type = '', of = ''] of text.matchAll(/^type (\w+) ((?:\[\]|map\[\w+\])?[\w.]+)\s*(?:\/\/.*)?$/gm))
    basics.set(`${name}.${type}`, of);
}

/** See `internal-form.ts`, which reads it, for what the signs mean. */
function sign(type: string, home: string): string {
  if (type.startsWith('*')) return nullable('*', type.slice(1), home);
  if (type.startsWith('[]')) return type === '[]byte' ? 'n' : nullable('[', type.slice(2), home);
  const map = /^map\[[\w.]+\](.+)$/.exec(type);
  if (map !== null) return nullable('{', map[1] as string, home);
  switch (type) {
    case 'string':
    case 'types.UID':
      return 's';
    case 'bool':
      return 'b';
    case 'int32':
    case 'int64':
    case 'int':
    case 'intstr.IntOrString':
      return 'i';
    case 'resource.Quantity':
      return 'q';
    case 'metav1.ObjectMeta':
    case 'metav1.LabelSelector':
      return 'j';
    case 'metav1.Time':
    case 'metav1.MicroTime':
      return 'n';
  }
  const name = qualified(type, home);
  if (structs.has(name)) {
    wanted.push(name);
    return name;
  }
  const of = basics.get(name);
  if (of === undefined) throw new Error(`unknown type ${name}`);
  return sign(of, name.split('.')[0] as string);
}

function nullable(mark: string, type: string, home: string): string {
  const of = sign(type, home);
  return of.length === 1 ? 'n' : mark + of;
}

function qualified(type: string, home: string): string {
  const name = type.includes('.') ? type : `${home}.${type}`;
  return name.replace(/^api\./, 'core.');
}

const wanted = [...roots];
const forms: Record<string, string[]> = {};
while (wanted.length > 0) {
  const name = wanted.pop() as string;
  if (forms[name] !== undefined) continue;
  const home = name.split('.')[0] as string;
  const body = structs.get(name);
  if (body === undefined) throw new Error(`no struct ${name}`);
  forms[name] = [];
  for (const line of body.split('\n')) {
    const [, field, type] = /^\t(?:([A-Za-z]\w*)\s+)?([\w.*[\]]+)(?:\s+`.*`)?\s*(?:\/\/.*)?$/.exec(line) ?? [];
    if (type === undefined || line.trim().startsWith('//')) continue;
    forms[name].push(field === undefined ? `^${sign(type, home)}` : `${field} ${sign(type, home)}`);
  }
}
const sorted = Object.fromEntries(Object.entries(forms).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(
  new URL('../../src/sim/apiserver/data/internal-forms.ts', import.meta.url),
  `// Written by test/conformance/generate-internal-forms.ts from the sources of kube-apiserver v1.36.3; do not edit.
/** Kept as text, so that it costs nothing until something is refused. */
export const internalFormText: string =
  '${JSON.stringify(sorted)}';
`,
);

import { describe, expect, it } from 'vitest';
import { AWrite, type Fields } from './a-write.js';

describe('a Service', () => {
  const ports = [{ port: 80 }];

  it('keeps the address and the port of nodes that it was given (TK-6, TK-10)', () => {
    const write = new AWrite('v1 services');
    expect(write.create({ spec: { type: 'NodePort', ports } })).toEqual([]);
    const given = write.get().spec;
    expect(write.patch({ spec: { clusterIP: null, clusterIPs: null, ports } })).toEqual([]);
    expect(write.get().spec).toEqual(given);
    expect(write.patch({ spec: { clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9'] } })).toEqual([
      'spec.clusterIPs[0]: Invalid value: ["10.0.0.9"]: may not change once set',
    ]);
  });

  it('gives back what it does not need as an external name (TK-6)', () => {
    const write = new AWrite('v1 services');
    write.create({ spec: { ports } });
    expect(write.patch({ spec: { type: 'ExternalName', externalName: 'example.com' } })).toEqual([]);
    expect(Object.keys(write.get().spec ?? {}).sort()).toEqual(['externalName', 'ports', 'sessionAffinity', 'type']);
  });

  it('gets no port of nodes that is out of range or taken', () => {
    const write = new AWrite('v1 services');
    const at = (nodePort: number) => ({ spec: { type: 'NodePort', ports: [{ port: 80, nodePort }] } });
    expect(write.create(at(80))).toEqual([
      'spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
    ]);
    expect(write.create(at(30080))).toEqual([]);
    expect(write.create(at(30080), 'b')).toEqual(['spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated']);
  });

  it('forgets how long it is bound to a client when it is not bound any more (TK-1)', () => {
    const write = new AWrite('v1 services');
    write.create({ spec: { ports, sessionAffinity: 'ClientIP' } });
    expect(write.patch({ spec: { sessionAffinity: null } })).toEqual([]);
    expect(write.get().spec).not.toHaveProperty('sessionAffinityConfig');
  });

  it('knows the ports of nodes that it was given by the names of its ports', () => {
    const write = new AWrite('v1 services');
    const named = { name: 'web', port: 80 };
    write.create({ spec: { type: 'NodePort', ports: [named] } });
    const given = write.get().spec?.ports[0] as Fields;
    expect(write.patch({ spec: { ports: [{ ...named, port: 81 }] } })).toEqual([]);
    expect(write.get().spec?.ports[0]).toMatchObject({ port: 81, nodePort: given.nodePort });
  });

  it('never shares its address', () => {
    const write = new AWrite('v1 services');
    for (const name of ['a', 'b', 'c']) expect(write.create({ spec: { ports } }, name)).toEqual([]);
    const addresses = write.server.etcd.list('services').map(({ spec }) => spec?.clusterIP);
    expect(new Set(addresses).size).toBe(3);
  });
});

describe('what the kinds that operators use are refused for', () => {
  it.each<readonly [string, Fields, string]>([
    [
      'networking.k8s.io/v1 ingresses',
      { spec: { rules: [{ http: { paths: [{ backend: { service: { name: 's', port: { number: 80 } } } }] } }] } },
      'spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified',
    ],
    [
      'networking.k8s.io/v1 networkpolicies',
      { spec: { podSelector: {}, ingress: [{ from: [{}] }] } },
      'spec.ingress[0].from[0]: Required value: must specify a peer',
    ],
    [
      'rbac.authorization.k8s.io/v1 roles',
      { rules: [{ apiGroups: [''], resources: ['pods'] }] },
      'rules[0].verbs: Required value: verbs must contain at least one value',
    ],
    [
      'autoscaling/v2 horizontalpodautoscalers',
      { spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3 } },
      'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
    ],
    [
      'coordination.k8s.io/v1 leases',
      { spec: { leaseDurationSeconds: 0 } },
      'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
    ],
    ['v1 persistentvolumeclaims', { spec: { accessModes: ['ReadWriteOnce'] } }, 'spec.resources[storage]: Required value'],
    ['v1 secrets', { type: 'kubernetes.io/tls', data: { 'tls.crt': '' } }, 'data[tls.key]: Required value'],
    [
      'v1 configmaps',
      { data: { a: '1' }, binaryData: { a: 'MQ==' } },
      'data[a]: Invalid value: "a": duplicate of key present in binaryData',
    ],
    ['v1 resourcequotas', { spec: { hard: { pods: '-1' } } }, 'spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0'],
  ])('%s', (kind, fields, fault) => {
    expect(new AWrite(kind).create(fields)).toEqual([fault]);
  });

  it.each(['scaleUp', 'scaleDown'])(
    'autoscalers whose list of policies to %s is empty: the default is for those that have none',
    (direction) => {
      const spec = { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' } };
      const write = new AWrite('autoscaling/v2 horizontalpodautoscalers');
      expect(write.create({ spec: { ...spec, behavior: { [direction]: { policies: [] } } } })).toEqual([
        `spec.behavior.${direction}.policies: Required value: must specify at least one Policy`,
      ]);
      expect(write.create({ spec: { ...spec, behavior: { [direction]: {} } } })).toEqual([]);
    },
  );

  it('v1 limitranges, whose defaults come from the bounds and are held against them', () => {
    const limits = [{ type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } }];
    expect(new AWrite('v1 limitranges').create({ spec: { limits } })).toEqual([
      'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
      'spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1',
      'spec.limits[0].default[cpu]: Invalid value: "2": min value 2 is greater than default value 1',
    ]);
  });
});

describe('warnings', () => {
  it.each<readonly [string, Fields, readonly string[]]>([
    [
      'v1 persistentvolumeclaims',
      {
        metadata: { name: 'a', annotations: { 'volume.beta.kubernetes.io/storage-class': 'x' } },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
      ['metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead'],
    ],
    [
      'storage.k8s.io/v1 storageclasses',
      { provisioner: 'x', allowedTopologies: [{ matchLabelExpressions: [{ key: 'beta.kubernetes.io/os', values: ['a'] }] }] },
      ['allowedTopologies[0].matchLabelExpressions[0].key: deprecated since v1.14; use "kubernetes.io/os" instead'],
    ],
    [
      'storage.k8s.io/v1 csidrivers',
      { spec: { tokenRequests: [{ audience: 'x' }] } },
      [
        'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
      ],
    ],
    ['storage.k8s.io/v1 csidrivers', { spec: { serviceAccountTokenInSecrets: false, tokenRequests: [{ audience: 'x' }] } }, []],
  ])('of %s (HT-5)', (kind, fields, warnings) => {
    expect(new AWrite(kind, kind.startsWith('v1')).warnings(fields)).toEqual(warnings);
  });
});

it('what a patch has made is quoted as Go writes it, fields in the order of their types (PA-10)', () => {
  const write = new AWrite('v1 services');
  write.create({ spec: { ports: [{ port: 80 }] } });
  expect(write.patch({ metadata: { name: 7 } }).join()).toContain('\\"ports\\":[{\\"protocol\\":\\"TCP\\",\\"port\\":80,');
});

it('the phase of a Namespace follows from whether it is being deleted (NS-7)', () => {
  const write = new AWrite('v1 namespaces', false);
  write.create({});
  expect(write.patch({ status: { phase: 'Running' } }, 'status')).toEqual([
    'status.Phase: Invalid value: "Running": may only be \'Active\' if `deletionTimestamp` is empty',
  ]);
  expect(write.patch({ status: { phase: 'Active', conditions: [] } }, 'status')).toEqual([]);
});

describe('a patch that takes away', () => {
  it('the kind means the endpoint’s', () => {
    const write = new AWrite('v1 configmaps');
    write.create({});
    expect(write.patch({ kind: '' })).toEqual([]);
    expect(write.patch({ kind: null })).toEqual([]);
  });

  it('the version leaves nothing that could be read', () => {
    const write = new AWrite('v1 configmaps');
    write.create({ data: { k: 'v' } });
    const name = 'the name of the object (a based on URL) was undeterminable: name must be provided';
    const patch = { verb: 'patch', name: 'a', contentType: 'application/merge-patch+json' } as const;
    const { response } = write.server.do({ ...patch, query: { fieldValidation: 'Warn' }, body: { apiVersion: null } });
    expect(response).toMatchObject({ code: 400, body: { message: name } });
    expect(response.warnings?.map((text) => text.split(' ').at(-1))).toEqual(['"data"', '"metadata"']);
  });
});

describe('what is told in which order', () => {
  it('leaves the missing name of a PodDisruptionBudget to who comes afterwards', () => {
    const both = { spec: { minAvailable: 1, maxUnavailable: 1 } };
    const [fault, ...more] = new AWrite('policy/v1 poddisruptionbudgets').create(both, '');
    expect(fault).toContain('minAvailable and maxUnavailable cannot be both set');
    expect(more).toEqual([]);
    expect(new AWrite('policy/v1 poddisruptionbudgets').create({}, '')).toEqual([
      'metadata.name: Required value: name or generateName is required',
    ]);
  });

  it('puts the rules of a Role between what is said twice of its metadata (FE-4)', () => {
    const write = new AWrite('rbac.authorization.k8s.io/v1 roles');
    write.create({});
    const faults = write.patch({ metadata: { labels: { a: 'b c' } }, rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] });
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      ...['metadata.labels', 'metadata.labels', 'metadata.labels'],
      'rules[0].nonResourceURLs',
      'metadata.labels',
    ]);
  });

  it('puts what is immutable of a Secret there too', () => {
    const write = new AWrite('v1 secrets');
    write.create({});
    const faults = write.patch({ metadata: { labels: { a: 'b c' } }, type: 'example.com/other' });
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      ...['metadata.labels', 'metadata.labels', 'metadata.labels'],
      'type',
      'metadata.labels',
    ]);
  });
});

describe('what may not be changed (TK-10)', () => {
  it('of a ConfigMap that is immutable', () => {
    const write = new AWrite('v1 configmaps');
    write.create({ immutable: true, data: { a: '1' } });
    expect(write.patch({ metadata: { labels: { a: '1' } } })).toEqual([]);
    expect(write.patch({ data: { a: '2' } })).toEqual(['data: Forbidden: field is immutable when `immutable` is set']);
  });

  it('of a RoleBinding', () => {
    const write = new AWrite('rbac.authorization.k8s.io/v1 rolebindings');
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' };
    expect(write.create({ roleRef })).toEqual([]);
    expect(write.patch({ roleRef: { name: 's' } })).toEqual([
      'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"s"}: cannot change roleRef',
    ]);
  });

  it('of a PersistentVolumeClaim', () => {
    const write = new AWrite('v1 persistentvolumeclaims');
    write.create({ spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } });
    const [fault = ''] = write.patch({ spec: { resources: { requests: { storage: '2Gi' } } } });
    expect(fault).toMatch(/^spec: Forbidden: spec is immutable after creation except/);
    expect(fault).toContain('-   "storage": "1Gi"\n+   "storage": "2Gi"\n');
  });

  it('of a PriorityClass', () => {
    const write = new AWrite('scheduling.k8s.io/v1 priorityclasses', false);
    expect(write.create({ value: 1 })).toEqual([]);
    expect(write.patch({ value: 2 })).toEqual(['value: Forbidden: may not be changed in an update.']);
  });
});

describe('what is written back (TK-3)', () => {
  it('lacks empty texts and what is false where Go cannot tell them from nothing', () => {
    const write = new AWrite('v1 pods');
    write.create({
      spec: { hostNetwork: false, hostUsers: true, containers: [{ name: 'c', image: 'i:1', env: [{ name: 'E', value: '' }] }] },
    });
    const { spec } = write.get();
    expect(spec?.containers[0].env).toEqual([{ name: 'E' }]);
    expect(spec).not.toHaveProperty('hostNetwork');
    expect(spec?.hostUsers).toBe(true);
  });

  it('has null for a time that is not there', () => {
    const write = new AWrite('v1 pods');
    write.create({ spec: { containers: [{ name: 'c', image: 'i:1' }] } });
    write.patch({ status: { conditions: [{ type: 'Ready', status: 'True' }] } }, 'status');
    expect(write.get().status?.conditions[0]).toMatchObject({ lastProbeTime: null, lastTransitionTime: null });
  });
});

describe('a Secret', () => {
  it("for a registry holds a JSON object, or it is told in Go's words why it is none (TK-9)", () => {
    const faults = (text: string) => {
      const data = { '.dockerconfigjson': Buffer.from(text).toString('base64') };
      return new AWrite('v1 secrets').create({ type: 'kubernetes.io/dockerconfigjson', data });
    };
    const invalid = (fault: string) => [`data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": ${fault}`];
    expect(faults('{"auths":{}}')).toEqual([]);
    expect(faults('null')).toEqual([]);
    expect(faults('[]')).toEqual(invalid('json: cannot unmarshal array into Go value of type map[string]interface {}'));
    expect(faults('true')).toEqual(invalid('json: cannot unmarshal bool into Go value of type map[string]interface {}'));
    expect(faults('{"auths":')).toEqual(invalid('unexpected end of JSON input'));
    expect(faults('hello')).toEqual(invalid("invalid character 'h' looking for beginning of value"));
    expect(faults('{auths}')).toEqual(invalid("invalid character 'a' looking for beginning of object key string"));
  });
});

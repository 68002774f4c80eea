import { describe, expect, it } from 'vitest';
import { builtInKinds } from '../../../../src/sim/apiserver/data/kinds.js';
import { builtInCells } from '../../../../src/sim/apiserver/table/built-in-cells.js';
import { builtInColumns } from '../../../../src/sim/apiserver/table/column.js';

const listed = builtInKinds.filter(({ verbs }) => verbs.includes('list'));
const resourceOf = ({ group, plural }: (typeof listed)[number]) => (group === '' ? plural : `${plural}.${group}`);

describe('the Table of a built-in kind', () => {
  it('has columns, whatever can be listed', () => {
    expect(listed.filter((kind) => builtInColumns(resourceOf(kind)) === undefined)).toEqual([]);
  });

  it('has a cell for each column, even of an object that has nothing; an age too many for an IPAddress, as in the server', () => {
    const counts = listed.map((kind) => {
      const object = { apiVersion: 'v1', kind: kind.kind, metadata: {} };
      const resource = resourceOf(kind);
      return [resource, builtInCells(resource)(object, 0).length - (builtInColumns(resource)?.length ?? 0)] as const;
    });
    expect(counts.filter(([, more]) => more !== 0)).toEqual([['ipaddresses.networking.k8s.io', 1]]);
  });
});

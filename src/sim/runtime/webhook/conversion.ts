import type { JsonValue, KubeObject } from '../../etcd/object.js';
import type { Webhook } from '../../webhook.js';
import { isMap, jsonOf } from '../json-body.js';
import { apiVersionOf, type ClientObject, type Kind } from '../kind.js';
import { atOnce, shown } from './response.js';

/** An object of a version without what names the version; the converter adds that. */
export type Versionless<T extends ClientObject> = Omit<T, 'apiVersion' | 'kind'>;

/** A version beside the hub: how its objects become the hub's, and come from it. A text says why it cannot be done. */
export interface Spoke<H extends ClientObject> {
  readonly kind: Kind;
  readonly convertTo: (object: ClientObject) => Versionless<H> | string;
  readonly convertFrom: (hub: H) => object | string;
}

/** The two functions of a `conversion.Convertible`, for one version. */
export function spoke<S extends ClientObject, H extends ClientObject>(
  kind: Kind<S>,
  functions: {
    readonly convertTo: (object: S) => Versionless<H> | string;
    readonly convertFrom: (hub: H) => Versionless<S> | string;
  },
): Spoke<H> {
  const { convertTo, convertFrom } = functions;
  return { kind, convertTo: (object) => convertTo(object as S), convertFrom };
}

/** A conversion webhook: one version is the hub, and every other is converted to it and from it. */
export function converter<H extends ClientObject>(hub: Kind<H>, ...spokes: readonly Spoke<H>[]): Webhook {
  const spokeOf = (apiVersion: string): Spoke<H> => {
    const found = spokes.find(({ kind }) => apiVersionOf(kind) === apiVersion);
    if (found !== undefined) return found;
    const known = [hub, ...spokes.map(({ kind }) => kind)].map(apiVersionOf);
    throw new TypeError(`it knows no version ${apiVersion}, only ${known.join(', ')}`);
  };
  const named = (value: unknown, apiVersion: string): KubeObject => {
    if (!isMap(value)) throw new TypeError(`a conversion must answer the object, or why there is none, and answered ${shown(value)}`);
    return { ...(jsonOf(value) as KubeObject), apiVersion, kind: hub.kind };
  };
  const convert = (object: KubeObject, desired: string): KubeObject | string => {
    const from = object.apiVersion ?? '';
    if (from === desired) return object;
    const asHub = from === apiVersionOf(hub) ? object : atOnce(spokeOf(from).convertTo(object));
    if (typeof asHub === 'string') return asHub;
    const hubObject = named(asHub, apiVersionOf(hub));
    if (desired === hubObject.apiVersion) return hubObject;
    const converted = atOnce(spokeOf(desired).convertFrom(hubObject as unknown as H));
    return typeof converted === 'string' ? converted : named(converted, desired);
  };
  return {
    kind: 'ConversionReview',
    answer: ({ objects, desiredAPIVersion }) => {
      const converted = (objects as unknown as readonly KubeObject[]).map((object) => convert(object, desiredAPIVersion as string));
      const failure = converted.find((each) => typeof each === 'string');
      if (failure !== undefined) return { result: { status: 'Failure', message: failure as string } };
      return { result: { status: 'Success' }, convertedObjects: converted as unknown as JsonValue };
    },
  };
}

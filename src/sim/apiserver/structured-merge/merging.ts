import type { JsonValue } from '../../etcd/object.js';
import { setMember } from '../json.js';
import { elementText, fieldElement, type PathElement } from './path-element.js';
import {
  deduceAtom,
  handleAtom,
  type ListType,
  type MapType,
  memberType,
  type Scalar,
  type Schema,
  sameAtom,
  type TypeRef,
} from './schema.js';
import { below, ElementMap, fault, itemElement, sameElement, type TypedValue, type TypeFault, TypeFaults } from './typed-value.js';
import { scalarFaults } from './validation.js';
import { isMap, type Value } from './value.js';

/**
 * The live value with an applied configuration put over it: nothing goes, and where both have a field the configuration
 * wins (PA-22). @throws TypeFaults
 */
export function merge(live: TypedValue, config: TypedValue): TypedValue {
  const { value, faults } = merged(live.schema, live.value ?? null, config.value ?? null, live.type);
  if (faults.length > 0) throw new TypeFaults(faults);
  return { ...live, value: value ?? null };
}

interface Merged {
  readonly value: Value;
  readonly faults: readonly TypeFault[];
}

/** One of the values at most is undefined. */
function merged(schema: Schema, live: Value, config: Value, type: TypeRef): Merged {
  const atom = schema.resolve(type);
  if (atom === undefined) return { value: undefined, faults: fault(`schema error: no type found matching: ${type.name}`) };
  const atomOfLive = deduceAtom(atom, live);
  const atomOfConfig = deduceAtom(atom, config);
  const place = new Place(schema, live, config);
  if (config === undefined) return { faults: handleAtom(atomOfLive, place), value: place.out };
  if (live === undefined || sameAtom(atomOfLive, atomOfConfig)) return { faults: handleAtom(atomOfConfig, place), value: place.out };
  const faults = handleAtom(atomOfLive, new Place(schema, live, config));
  return { faults: [...faults, ...handleAtom(atomOfConfig, place)], value: place.out };
}

class Place {
  out: Value;

  constructor(
    readonly schema: Schema,
    readonly live: Value,
    readonly config: Value,
  ) {}

  scalar(type: Scalar): readonly TypeFault[] {
    const faultsOfLive = scalarFaults(type, this.live, 'lhs: ');
    const faultsOfConfig = scalarFaults(type, this.config, 'rhs: ');
    if (faultsOfLive.length > 0 && faultsOfConfig.length > 0) return [...faultsOfLive, ...faultsOfConfig];
    this.#leaf();
    return [];
  }

  map(type: MapType): readonly TypeFault[] {
    const live = isMap(this.live) ? this.live : undefined;
    const config = isMap(this.config) ? this.config : undefined;
    const liveNames = Object.keys(live ?? {});
    const configNames = Object.keys(config ?? {});
    if (type.relationship === 'atomic' || (liveNames.length === 0 && configNames.length === 0)) {
      this.#leaf();
      return [];
    }
    const faults: TypeFault[] = [];
    const out: Record<string, JsonValue> = {};
    let count = 0;
    const visit = (name: string, ofLive: Value, ofConfig: Value) => {
      const inner = merged(this.schema, ofLive, ofConfig, memberType(type, name) ?? {});
      faults.push(...below(fieldElement(name), inner.faults));
      if (inner.value === undefined) return;
      setMember(out, name, inner.value);
      count += 1;
    };
    for (const name of liveNames) visit(name, live?.[name], config !== undefined && Object.hasOwn(config, name) ? config[name] : undefined);
    for (const name of configNames) if (live === undefined || !Object.hasOwn(live, name)) visit(name, undefined, config?.[name]);
    if (count > 0) this.out = out;
    return faults;
  }

  list(type: ListType): readonly TypeFault[] {
    const live = Array.isArray(this.live) ? (this.live as readonly JsonValue[]) : [];
    const config = Array.isArray(this.config) ? (this.config as readonly JsonValue[]) : [];
    if (type.relationship === 'atomic' || (live.length === 0 && config.length === 0)) {
      this.#leaf();
      return [];
    }
    return this.#items(type, live, config);
  }

  #leaf(): void {
    this.out = this.config ?? (this.config === null ? null : this.live);
  }

  /**
   * Applied items come in their order; the others keep their places relative to the neighbours that they had (PA-22).
   */
  #items(type: ListType, live: readonly JsonValue[], config: readonly JsonValue[]): readonly TypeFault[] {
    const ofConfig = this.#index(type, config, false);
    const ofLive = this.#index(type, live, true);
    const faults: TypeFault[] = [...ofConfig.faults, ...ofLive.faults];
    if (faults.length > 0) return faults;

    const out: JsonValue[] = [];
    const take = (element: PathElement, liveItem: Value, configItem: Value) => {
      const inner = merged(this.schema, liveItem, configItem, type.elementType);
      faults.push(...below(element, inner.faults));
      if (inner.value !== undefined) out.push(inner.value);
    };
    const shared = ofConfig.elements.filter((element) => ofLive.items.has(element));
    let nextShared = 0;
    const done = new Set<string>();
    let l = 0;
    let c = 0;
    while (l < ofLive.elements.length || c < ofConfig.elements.length) {
      const liveElement = ofLive.elements[l];
      const configElement = ofConfig.elements[c];
      if (liveElement !== undefined && configElement !== undefined) {
        if (sameElement(liveElement, configElement)) {
          done.add(liveElement.text);
          take(liveElement, ofLive.items.get(liveElement), ofConfig.items.get(liveElement));
          l += 1;
          c += 1;
          nextShared += 1;
          continue;
        }
        const wanted = shared[nextShared];
        if (ofConfig.items.has(liveElement) && wanted !== undefined && !sameElement(wanted, liveElement)) {
          // Applied too, but its turn is later.
          l += 1;
          continue;
        }
      }
      if (liveElement !== undefined) {
        if (!ofConfig.items.has(liveElement)) {
          take(liveElement, live[ofLive.places[l] as number], undefined);
          l += 1;
          continue;
        }
        if (done.has(liveElement.text)) l += 1;
      }
      if (configElement !== undefined) {
        done.add(configElement.text);
        take(configElement, ofLive.items.get(configElement), ofConfig.items.get(configElement));
        c += 1;
        const wanted = shared[nextShared];
        if (wanted !== undefined && sameElement(wanted, configElement)) nextShared += 1;
      }
    }
    if (out.length > 0) this.out = out;
    return faults;
  }

  #index(type: ListType, list: readonly JsonValue[], allowDuplicates: boolean) {
    const faults: TypeFault[] = [];
    const elements: PathElement[] = [];
    const places: number[] = [];
    const items = new ElementMap<JsonValue>();
    for (const [index, item] of list.entries()) {
      const element = itemElement(this.schema, type, item);
      if ('fault' in element) {
        faults.push(...fault(`element ${index}: ${element.fault}`));
        continue;
      }
      const known = items.has(element);
      if (known && !allowDuplicates) {
        faults.push(...fault(`duplicate entries for key ${elementText(element)}`));
        continue;
      }
      // PA-56: an item that is there twice is replaced, not merged.
      items.set(element, known ? null : item);
      elements.push(element);
      places.push(index);
    }
    return { elements, items, places, faults };
  }
}

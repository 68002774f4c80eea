import { dynType, isDyn, isDynOrError, listOf, mapOf, opaque, sameType, type Type, typeOfType } from './value-types.js';

/** What the type parameters of a check stand for. A failed attempt leaves it as it was. */
export class Substitutions {
  #known: Map<string, Type>;
  #fresh = 0;

  constructor() {
    this.#known = new Map();
  }

  newVariable(): Type {
    return { kind: 'param', name: `_var${this.#fresh++}` };
  }

  /** Whether values of one type can stand where those of another are wanted; parameters are bound on the way. */
  assignable(from: Type, to: Type): boolean {
    return this.assignableAll([from], [to]);
  }

  assignableAll(from: readonly Type[], to: readonly Type[]): boolean {
    const before = this.#known;
    this.#known = new Map(before);
    if (this.#all(from, to)) return true;
    this.#known = before;
    return false;
  }

  /** The type with its parameters replaced. @param open what becomes of those that stand for nothing: they stay, or are dyn. */
  resolve(type: Type, open: 'keep' | 'dyn'): Type {
    switch (type.kind) {
      case 'param': {
        const known = this.#known.get(type.name);
        if (known !== undefined) return this.resolve(known, open);
        return open === 'dyn' ? dynType : type;
      }
      case 'list':
        return listOf(this.resolve(type.of, open));
      case 'map':
        return mapOf(this.resolve(type.key, open), this.resolve(type.value, open));
      case 'opaque':
        return type.parameters.length === 0 ? type : opaque(type.name, ...type.parameters.map((each) => this.resolve(each, open)));
      case 'type':
        return type.of === undefined ? type : typeOfType(this.resolve(type.of, open));
      default:
        return type;
    }
  }

  #all(a: readonly Type[], b: readonly Type[]): boolean {
    return a.length === b.length && a.every((type, index) => this.#fits(type, b[index] as Type));
  }

  #fits(a: Type, b: Type): boolean {
    if (b.kind === 'param') {
      const bound = this.#bind(a, b);
      if (bound !== 'conflict') return bound === 'fits' || (a.kind === 'param' && this.#bind(b, a) === 'fits');
      return false;
    }
    if (a.kind === 'param') return this.#bind(b, a) === 'fits';
    if (isDynOrError(a) || isDynOrError(b)) return true;
    if (a.kind === 'simple' && a.name === 'null') return isNullable(b);
    if (b.kind === 'simple' && b.name === 'null') return isNullable(a);
    switch (a.kind) {
      case 'simple':
      case 'object':
        return sameType(a, b);
      case 'type':
        return b.kind === 'type';
      case 'list':
        return b.kind === 'list' && this.#fits(a.of, b.of);
      case 'map':
        return b.kind === 'map' && this.#fits(a.key, b.key) && this.#fits(a.value, b.value);
      case 'opaque':
        return b.kind === 'opaque' && a.name === b.name && this.#all(a.parameters, b.parameters);
    }
  }

  #bind(type: Type, variable: Type & { readonly kind: 'param' }): 'fits' | 'conflict' | 'circular' {
    if (sameType(type, variable)) return 'fits';
    const known = this.#known.get(variable.name);
    if (known !== undefined) {
      if (sameType(type, known)) return 'fits';
      if (!this.#fits(type, known)) return 'conflict';
      const general = mostGeneral(type, known);
      if (!this.#mentions(general, variable)) this.#known.set(variable.name, general);
      return 'fits';
    }
    if (this.#mentions(type, variable)) return 'circular';
    this.#known.set(variable.name, type);
    return 'fits';
  }

  #mentions(within: Type, variable: Type & { readonly kind: 'param' }): boolean {
    switch (within.kind) {
      case 'param': {
        if (within.name === variable.name) return true;
        const known = this.#known.get(within.name);
        return known !== undefined && this.#mentions(known, variable);
      }
      case 'list':
        return this.#mentions(within.of, variable);
      case 'map':
        return this.#mentions(within.key, variable) || this.#mentions(within.value, variable);
      case 'opaque':
        return within.parameters.some((each) => this.#mentions(each, variable));
      case 'type':
        return within.of !== undefined && this.#mentions(within.of, variable);
      default:
        return false;
    }
  }
}

export function mostGeneral(a: Type, b: Type): Type {
  return isAsGeneral(a, b) ? a : b;
}

function isAsGeneral(a: Type, b: Type): boolean {
  if (isDyn(a) || a.kind === 'param') return true;
  if (isDyn(b) || b.kind === 'param') return false;
  switch (a.kind) {
    case 'list':
      return b.kind === 'list' && isAsGeneral(a.of, b.of);
    case 'map':
      return b.kind === 'map' && isAsGeneral(a.key, b.key) && isAsGeneral(a.value, b.value);
    case 'opaque':
      return (
        b.kind === 'opaque' &&
        a.name === b.name &&
        a.parameters.length === b.parameters.length &&
        a.parameters.every((each, index) => isAsGeneral(each, b.parameters[index] as Type))
      );
    case 'type':
      return b.kind === 'type';
    default:
      return sameType(a, b);
  }
}

/** What may be compared with null though its type does not say so. */
function isNullable(type: Type): boolean {
  if (type.kind === 'opaque' || type.kind === 'object') return true;
  return type.kind === 'simple' && (type.name === 'null' || type.name === 'duration' || type.name === 'timestamp');
}

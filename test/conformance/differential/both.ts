import { compare, type Difference, type Normal, normalise, runSequence, type Transport, type WireRequest } from '../golden/runner.mjs';
import { GoldenWorld } from '../golden-world.js';
import { cleanUp } from './clean-up.js';
import type { Script, ScriptStep } from './script.js';

/** A script that both servers have played, in normal form. */
export interface Both {
  readonly real: Normal;
  readonly simulated: Normal;
  readonly differences: readonly Difference[];
  /** How many answers and watches were compared. */
  readonly compared: number;
}

/** The header in which a step's number goes to the transports; no server looks at it. */
const STEP = 'x-step';

/**
 * Plays a script on the real server, under a name of its own, and then in a simulated cluster whose clock follows what the
 * real one showed, as the order of managedFields depends on seconds.
 * @param group an API group for all plays of a run, as a real server takes seconds to serve new ones; absent: one for this play.
 */
export async function playBoth(script: Script, server: Transport, suffix: string, group?: string): Promise<Both> {
  const steps = (group === undefined ? script : inGroup(script, group)).steps.map((step, index) =>
    step.path === undefined ? step : { ...step, headers: { ...step.headers, [STEP]: `${index}` } },
  );
  const numbered: Script = { ...script, steps };
  const times = new Map<string, number>();
  const noted = around(server, { after: (step) => times.set(step, Date.now()) });
  const startedMs = server.now();
  const raw = await runSequence(numbered, noted, { suffix });
  const real = withNamedAddresses(normalise(raw));
  await cleanUp(script, server, suffix, group);

  const world = new GoldenWorld({ controllers: false });
  const beganMs = world.now() + (startedMs % 1000);
  const following = around(world, {
    before: async (step) => {
      const wanted = beganMs + (times.get(step) ?? startedMs) - startedMs;
      if (wanted > world.now()) await world.sleep(wanted - world.now());
    },
  });
  const simulated = withNamedAddresses(normalise(await runSequence(numbered, following, { suffix })));
  return { real, simulated, differences: compare(real, simulated), compared: real.exchanges.length + real.watches.length };
}

/** Addresses of Services are given out by chance; what matters is which are the same. */
function withNamedAddresses(normal: Normal): Normal {
  const names = new Map<string, string>();
  const nameOf = (address: string) => {
    if (!names.has(address)) names.set(address, `address#${names.size + 1}`);
    return names.get(address) as string;
  };
  return JSON.parse(JSON.stringify(inOneOrder(normal)).replace(/\b10\.0\.\d{1,3}\.\d{1,3}\b/g, nameOf)) as Normal;
}

/** What comes in the order of a Go map, and so by chance: the faults of an apply, and its conflicts with several managers. */
function inOneOrder(normal: Normal): Normal {
  return {
    ...normal,
    exchanges: normal.exchanges.map((exchange) => {
      const body = exchange.body as
        | { readonly message?: string; readonly details?: { readonly causes?: readonly StatusCause[] } }
        | undefined;
      if (body?.message?.startsWith('failed to create typed patch object')) {
        return { ...exchange, body: { ...body, message: body.message.split('\n').sort().join('\n') } };
      }
      const { causes = [] } = body?.details ?? {};
      if (!causes.some(({ reason }) => reason === 'FieldManagerConflict')) return exchange;
      const sorted = [...causes].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
      return { ...exchange, body: { ...body, details: { ...body?.details, causes: sorted } } };
    }),
  };
}

interface StatusCause {
  readonly reason?: string;
}

function inGroup(script: Script, group: string): Script {
  return JSON.parse(JSON.stringify(script).replaceAll('${group}', group)) as Script;
}

/** The step that a difference is about. */
export function stepOf(script: Script, difference: Difference): ScriptStep | undefined {
  const [side, id] = difference.at.split('/');
  return script.steps.find((step) => (side === 'watches' ? step.watch === id : step.id === id));
}

/** What two differences have in common when they have the same cause, as far as can be told. */
export function signatureOf(script: Script, difference: Difference): string {
  const step = stepOf(script, difference);
  const [side, , ...where] = difference.at.split('/');
  const [, plural = ''] = /^(?:\/apis?)(?:\/[^/]+){1,2}(?:\/namespaces\/\$\{ns\})?\/([a-z]+)/.exec(step?.path ?? '') ?? [];
  const verb =
    step?.method === 'PATCH' ? (step.contentType ?? '').replace(/^application\/|-patch\+\w+$/g, '') : (step?.method ?? side ?? '');
  const place = where.map((key) => (/^\d+$/.test(key) ? '*' : key)).join('/');
  return `${verb} ${plural}${/\/(status|scale)$/.exec(step?.path ?? '')?.[0] ?? ''} ${difference.kind} /${place}: ${short(difference.expected)} | ${short(difference.actual)}`;
}

/** The same in a smaller script: ranks, uids and numbers may be others. */
function short(value: unknown): string {
  if (typeof value === 'number') return String(value);
  const text = JSON.stringify(value) ?? 'nothing';
  // What is quoted is what was sent, which differs from script to script.
  return text
    .replace(/\\".*\\"|\[.*\]/g, '…')
    .replace(/\d+/g, 'N')
    .slice(0, 160);
}

/** The same way to a server, with something to do before or after each request, by the number of its step. */
function around(
  transport: Transport,
  {
    before = async () => {},
    after = () => {},
  }: { readonly before?: (step: string) => Promise<void>; readonly after?: (step: string) => void },
): Transport {
  const during =
    <T>(send: (wire: WireRequest) => Promise<T>) =>
    async (wire: WireRequest): Promise<T> => {
      const step = wire.headers[STEP] ?? '';
      await before(step);
      const answer = await send(wire);
      after(step);
      return answer;
    };
  return {
    request: during((wire) => transport.request(wire)),
    watch: during((wire) => transport.watch(wire)),
    sleep: (ms) => transport.sleep(ms),
    compact: (revision) => transport.compact(revision),
    now: () => transport.now(),
  };
}

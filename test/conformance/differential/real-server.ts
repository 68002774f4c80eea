import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Transport, WireRequest, WireResponse } from '../golden/runner.mjs';

/** The way to a real kube-apiserver on this machine, whose certificate nobody has signed. */
export function realServer(server: string, token: string): Transport {
  const base = new URL(server);
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(base.hostname))
    throw new Error(`only a server on this machine is asked, not ${base.hostname}`);
  const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false });

  const open = ({ method, path, headers, body }: WireRequest) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const request = https.request(
        base,
        { method, path, agent, headers: { ...headers, authorization: `Bearer ${token}`, ...length } },
        resolve,
      );
      request.on('error', reject);
      request.end(body);
    });

  return {
    async request(wire) {
      try {
        return await whole(await open(wire));
      } catch (error) {
        // A server that panics in a handler drops the connection: that is an answer too.
        if (/socket hang up|ECONNRESET/.test(String(error))) return { status: 0, headers: {}, body: 'connection closed' };
        throw error;
      }
    },
    async watch(wire) {
      const response = await open(wire);
      if (response.statusCode !== 200) return { ...(await whole(response)), lines: none(), close() {} };
      return { status: 200, headers: headersOf(response), lines: linesOf(response), close: () => response.destroy() };
    },
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    compact: () => Promise.reject(new Error('a differential run does not compact')),
    now: () => Date.now(),
  };
}

async function whole(response: IncomingMessage): Promise<WireResponse> {
  let body = '';
  response.setEncoding('utf8');
  for await (const chunk of response) body += chunk;
  return { status: response.statusCode ?? 0, headers: headersOf(response), body };
}

function headersOf(response: IncomingMessage): WireResponse['headers'] {
  const warnings = response.rawHeaders.filter((_, index) => index % 2 === 1 && /^warning$/i.test(response.rawHeaders[index - 1] as string));
  return { ...response.headers, warning: warnings.length > 0 ? warnings : undefined };
}

async function* none(): AsyncGenerator<string> {}

async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  response.setEncoding('utf8');
  let rest = '';
  try {
    for await (const chunk of response) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() as string;
      yield* lines;
    }
  } catch (error) {
    if (!/ECONNRESET|aborted/.test(String(error))) throw error;
  }
  if (rest.trim() !== '') yield rest;
}

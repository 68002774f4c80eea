/** Says how long an item must wait before it is tried again. Delays are in milliseconds and may have fractions. */
export interface RateLimiter {
  /** Charges the item one try. */
  when(item: string, nowMs: number): number;
  /** Ends the counting of an item's failures; it takes nothing out of any queue (C13). */
  forget(item: string): void;
  numRequeues(item: string): number;
}

/** `base * 2^failures`, at most `max`, without jitter (C10). */
export function itemExponentialFailureRateLimiter(baseDelayMs: number, maxDelayMs: number): RateLimiter {
  const failures = new Map<string, number>();
  return {
    when(item) {
      const soFar = failures.get(item) ?? 0;
      failures.set(item, soFar + 1);
      return Math.min(baseDelayMs * 2 ** soFar, maxDelayMs);
    },
    forget: (item) => void failures.delete(item),
    numRequeues: (item) => failures.get(item) ?? 0,
  };
}

/** One token for every call, whatever the item; a token once taken is never given back (C11). */
export function bucketRateLimiter(tokensPerSecond: number, burst: number): RateLimiter {
  let tokens = burst;
  let filledAtMs: number | undefined;
  return {
    when(_item, nowMs) {
      if (filledAtMs !== undefined) tokens = Math.min(burst, tokens + ((nowMs - filledAtMs) * tokensPerSecond) / 1000);
      filledAtMs = nowMs;
      tokens -= 1;
      return tokens >= 0 ? 0 : wholeMicroseconds((-tokens * 1000) / tokensPerSecond);
    },
    forget: () => {},
    numRequeues: () => 0,
  };
}

/** `fast` for the first so many tries, then `slow` (C12). */
export function itemFastSlowRateLimiter(fastDelayMs: number, slowDelayMs: number, maxFastAttempts: number): RateLimiter {
  const failures = new Map<string, number>();
  return {
    when(item) {
      const now = (failures.get(item) ?? 0) + 1;
      failures.set(item, now);
      return now <= maxFastAttempts ? fastDelayMs : slowDelayMs;
    },
    forget: (item) => void failures.delete(item),
    numRequeues: (item) => failures.get(item) ?? 0,
  };
}

/** The longest of the limiters' delays; each of them is charged (C12). */
export function maxOfRateLimiter(...limiters: readonly RateLimiter[]): RateLimiter {
  return {
    when: (item, nowMs) => limiters.reduce((longest, limiter) => Math.max(longest, limiter.when(item, nowMs)), 0),
    forget: (item) => {
      for (const limiter of limiters) limiter.forget(item);
    },
    numRequeues: (item) => limiters.reduce((most, limiter) => Math.max(most, limiter.numRequeues(item)), 0),
  };
}

/** The limiter's delay, at most `maxDelayMs` (C12). */
export function withMaxWaitRateLimiter(limiter: RateLimiter, maxDelayMs: number): RateLimiter {
  return { ...limiter, when: (item, nowMs) => Math.min(limiter.when(item, nowMs), maxDelayMs) };
}

/** What a controller gets that asks for none: with the classic queue a bucket for all its items too (C22). */
export function defaultRateLimiter(queue: 'priority' | 'classic'): RateLimiter {
  const perItem = itemExponentialFailureRateLimiter(5, 1_000_000);
  return queue === 'priority' ? perItem : maxOfRateLimiter(perItem, bucketRateLimiter(10, 100));
}

function wholeMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

const firstMs = 800;
const mostMs = 30_000;
const startAgainAfterMs = 120_000;

/** The one series of waits that a reflector has (A2 to A4). */
export class ReflectorBackoff {
  private nextMs = firstMs;
  private seriesStartMs: number;

  constructor(nowMs: number) {
    this.seriesStartMs = nowMs;
  }

  /**
   * How long the wait that begins now lasts, in ms. Success never starts the series again; time does (A3).
   * @param random in [0, 1): up to so much of itself is added to a wait
   */
  next(nowMs: number, random: number): number {
    if (nowMs - this.seriesStartMs > startAgainAfterMs) {
      this.nextMs = firstMs;
      this.seriesStartMs = nowMs;
    }
    const wait = this.nextMs;
    this.nextMs = Math.min(wait * 2, mostMs);
    return wait * (1 + random);
  }
}

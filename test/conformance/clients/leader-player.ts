import { type ElectionOptions, LeaderElector } from '../../../src/sim/runtime/leader-elector.js';
import { LeaseLock } from '../../../src/sim/runtime/lease-lock.js';
import { RestClient } from '../../../src/sim/runtime/rest.js';
import { Journal } from './journal.js';
import { type Client, playSteps } from './play.js';
import type { Player, Step } from './script.js';
import { Stage } from './stage.js';

interface Setup {
  readonly identity: string;
  readonly leaseMs?: number;
  readonly renewMs?: number;
  readonly retryMs?: number;
  readonly releaseOnCancel?: boolean;
}

export const play: Player = (script) => {
  const journal = new Journal(script.anyOrder);
  const stage = new Stage(script, journal);
  return playSteps(script, stage, journal, new LeaderClient(stage, script.setup as unknown as Setup, journal));
};

/** One candidate for the lease `ns/operator`. */
class LeaderClient implements Client {
  private elector: LeaderElector | undefined;

  constructor(
    private readonly stage: Stage,
    private readonly setup: Setup,
    private readonly journal: Journal,
  ) {}

  do(step: Step): void {
    if ('start' in step) this.start();
    else if ('stop' in step) this.elector?.stop();
    else throw new Error(`a candidate cannot ${JSON.stringify(step)}`);
  }

  state(): Readonly<Record<string, unknown>> {
    return this.elector === undefined ? {} : { isLeader: this.elector.isLeader, leader: this.elector.leader };
  }

  private start(): void {
    const { identity, leaseMs, renewMs, retryMs, releaseOnCancel } = this.setup;
    const options: ElectionOptions = {
      identity,
      ...(leaseMs === undefined ? {} : { leaseDurationMs: leaseMs }),
      ...(renewMs === undefined ? {} : { renewDeadlineMs: renewMs }),
      ...(retryMs === undefined ? {} : { retryPeriodMs: retryMs }),
      ...(releaseOnCancel === undefined ? {} : { releaseOnCancel }),
    };
    const note = (what: string) => this.journal.note('callbacks', what);
    const lock = new LeaseLock(new RestClient(this.stage), { namespace: 'ns', name: 'operator', userAgent: 'client' });
    try {
      this.elector = new LeaderElector(this.stage, lock, options, {
        onStartedLeading: () => note('OnStartedLeading'),
        onContextEnded: () => note('the context of OnStartedLeading has ended'),
        onStoppedLeading: () => {
          note('OnStoppedLeading');
          note('Run returned');
        },
        onNewLeader: (leader) => note(`OnNewLeader ${leader}`),
      });
      this.elector.run();
    } catch (error) {
      this.journal.note('client', (error as Error).message);
    }
  }
}

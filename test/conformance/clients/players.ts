import type { Player } from './script.js';

/** Who plays which kind of script. What nobody plays counts as different. */
export const players: Readonly<Record<string, () => Promise<{ readonly play: Player }>>> = {
  events: () => import('./events-player.js'),
  fifo: () => import('./fifo-player.js'),
  helpers: () => import('./helpers-player.js'),
  informer: () => import('./informer-player.js'),
  leader: () => import('./leader-player.js'),
  manager: () => import('./manager-player.js'),
  ratelimiter: () => import('./ratelimiter-player.js'),
  workqueue: () => import('./workqueue-player.js'),
};

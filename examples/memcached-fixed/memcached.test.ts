import { trial } from 'seatrial/vitest';
import memcached from './scenario.js';

trial(memcached, { runs: 60 });

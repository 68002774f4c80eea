import { memcachedScenario } from '../memcached/memcached-world.js';
import { setupWithManager } from './memcached-controller.js';

export default memcachedScenario('memcached-fixed', setupWithManager);

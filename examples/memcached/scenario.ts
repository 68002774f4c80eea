import { setupWithManager } from './memcached-controller.js';
import { memcachedScenario } from './memcached-world.js';

export default memcachedScenario('memcached', setupWithManager);

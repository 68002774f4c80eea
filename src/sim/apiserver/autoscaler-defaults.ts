import { impliedMetric } from './autoscaler-metrics.js';
import { fill, within } from './fill.js';

type Fields = Readonly<Record<string, unknown>>;

const scaleUp = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const scaleDown = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] };

/** What `autoscaling/v2` fills in (TK-1): who has a word to say about one direction has rules for both. */
export function autoscalerWithDefaults(spec: Fields): Fields {
  return within(fill(spec, { minReplicas: 1, metrics: [impliedMetric] }), 'behavior', (behavior: Fields) => ({
    scaleUp: { ...scaleUp, ...(behavior.scaleUp as Fields | undefined) },
    scaleDown: { ...scaleDown, ...(behavior.scaleDown as Fields | undefined) },
  }));
}

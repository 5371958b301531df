import { setTimeout as wait } from 'node:timers/promises'

/** A read that takes as long as it is told, and stops when its signal says so. */
export default {
  name: 'slow_read',
  description: 'Waits the given number of milliseconds, then answers with the label.',
  group: 'extra',
  parameters: {
    type: 'object',
    properties: {
      ms: { type: 'integer', minimum: 0, maximum: 120000 },
      label: { type: 'string', maxLength: 200 },
    },
    required: ['ms'],
    additionalProperties: false,
  },
  enabledByDefault: true,
  requiresAdmin: false,
  effect: 'read',
  dataClass: 'content',
  timeoutMs: 120_000,
  execute: async ({ ms, label = '' }, { signal }) => {
    await wait(ms, undefined, { signal })
    return { content: { waitedMs: ms, label } }
  },
}

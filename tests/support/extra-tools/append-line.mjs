import { appendFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** A write with a trace that outlives the server: one line a call in TOOLGATE_TEST_APPEND_FILE. */
export default {
  name: 'append_line',
  description: 'Appends one line to the test file, after an optional delay.',
  group: 'extra',
  parameters: {
    type: 'object',
    properties: {
      text: { type: 'string', minLength: 1, maxLength: 1000 },
      delayMs: { type: 'integer', minimum: 0, maximum: 60000 },
      delayAfterMs: { type: 'integer', minimum: 0, maximum: 60000 },
    },
    required: ['text'],
    additionalProperties: false,
  },
  enabledByDefault: true,
  requiresAdmin: false,
  effect: 'write',
  dataClass: 'content',
  timeoutMs: 60_000,
  execute: async ({ text, delayMs = 0, delayAfterMs = 0 }, { signal }) => {
    const file = process.env.TOOLGATE_TEST_APPEND_FILE
    if (!file) throw new Error('TOOLGATE_TEST_APPEND_FILE is not set')
    if (delayMs > 0) await wait(delayMs, undefined, { signal })
    await appendFile(file, `${text.replaceAll('\n', ' ')}\n`)
    if (delayAfterMs > 0) await wait(delayAfterMs, undefined, { signal })
    return { content: { appended: text } }
  },
}

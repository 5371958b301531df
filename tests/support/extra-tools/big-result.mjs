/** A result of the size asked for: one string, or an array of numbered 1 KB lines. */
export default {
  name: 'big_result',
  description: 'Answers with a result of about the given number of kilobytes.',
  group: 'extra',
  parameters: {
    type: 'object',
    properties: {
      kilobytes: { type: 'integer', minimum: 1, maximum: 8192 },
      shape: { enum: ['text', 'array', 'object'] },
    },
    required: ['kilobytes'],
    additionalProperties: false,
  },
  enabledByDefault: true,
  requiresAdmin: false,
  effect: 'read',
  dataClass: 'content',
  timeoutMs: 30_000,
  execute: async ({ kilobytes, shape = 'text' }) => {
    const lines = Array.from({ length: kilobytes }, (_, index) =>
      `${index + 1} `.padEnd(1024, 'lorem '),
    )
    if (shape === 'array') return { content: lines }
    if (shape === 'object') return { content: { lines } }
    return { content: lines.join('') }
  },
}

/** Words without an end, wherever a result may have one. */
const word = 'W'.repeat(1_000)

export default {
  name: 'wide_result',
  description: `Answers with one long word. ${word}`,
  group: 'extra',
  parameters: {
    type: 'object',
    properties: { [word.slice(0, 60)]: { type: 'string', description: word } },
    additionalProperties: false,
  },
  enabledByDefault: true,
  requiresAdmin: false,
  effect: 'read',
  dataClass: 'content',
  timeoutMs: 10_000,
  execute: async () => ({
    content: word,
    artifacts: [
      { type: 'table', title: word, columns: [word, 'b'], rows: [[word, word]] },
      { type: 'text', title: word, text: word },
    ],
  }),
}

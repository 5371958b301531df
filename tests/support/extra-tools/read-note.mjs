/** A read that answers with the very text it was given: whatever a prompt wants a result to say. */
export default {
  name: 'read_note',
  description: 'Answers with the text of a note.',
  group: 'extra',
  parameters: {
    type: 'object',
    properties: { text: { type: 'string', maxLength: 10000 } },
    required: ['text'],
    additionalProperties: false,
  },
  enabledByDefault: true,
  requiresAdmin: false,
  effect: 'read',
  dataClass: 'content',
  timeoutMs: 10_000,
  execute: async ({ text }) => ({ content: text }),
}

const line = '12:00:00.000 info web "GET /handbook/chapter?lang=en" 200 in 12 ms, 4,096 bytes\n'
const text = line.repeat(Math.ceil(8192 / line.length)).slice(0, 8192 - 16)

/** Tool of every run of the benchmark: 8 KB of log lines, different for each page. */
export default {
  name: 'read_page',
  description: 'Reads one page of the log, about 8 KB of text.',
  group: 'extra',
  parameters: {
    type: 'object',
    properties: { page: { type: 'integer', minimum: 1, description: 'Which page.' } },
    required: ['page'],
    additionalProperties: false,
  },
  enabledByDefault: true,
  requiresAdmin: false,
  effect: 'read',
  dataClass: 'content',
  timeoutMs: 30_000,
  execute: async ({ page }) => ({ content: `Page ${String(page).padStart(9)}:\n${text}` }),
}

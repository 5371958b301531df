import { z } from 'zod'
import { defineTool } from '../define-tool'
import { redactedParts } from '../left-out'
import { logEntries } from '../log-entries'
import { logLevels } from '../tool-resources'

export default defineTool({
  name: 'fetch_logs',
  description:
    "Reads the newest entries of this Toolgate server's own log, newest first: time, level, source, message and " +
    'incident id. Use it to find out what went wrong or what the server did lately. Client addresses, user ids and ' +
    'payloads are left out. At most 50 entries a call; there is no way to page further back.',
  group: 'system',
  parameters: z.object({
    level: z
      .enum(logLevels)
      .optional()
      .describe(
        'Least severe level wanted: "warn" gives warnings and errors. Omit it to get every level.',
      ),
    limit: z.int().min(1).max(50).default(20).describe('How many entries.'),
  }),
  enabledByDefault: true,
  requiresAdmin: true,
  effect: 'read',
  dataClass: 'diagnostics',
  timeoutMs: 10_000,
  limits: ['50 entries a call'],
  example: { level: 'warn', limit: 20 },
  execute: async ({ level, limit }, { resources }) => {
    // One more than is wanted says whether there are older ones.
    const found = await resources.readLogs({ level: level ?? 'debug', limit: limit + 1 })
    const lines = found.slice(0, limit)
    const content = logEntries(lines)
    const older = { what: 'older entries', why: `this call asked for ${limit}` }
    const leftOut = [...(found.length > limit ? [older] : []), ...redactedParts(lines, content)]
    return { content, leftOut }
  },
})

import 'server-only'
import { z } from 'zod'
import { servers } from '@/lib/domains/servers/shape'
import { requireServer } from '@/lib/domains/servers/stored'
import type { LogLine } from '@/lib/engines/mcp/server-address'
import { troubleWords } from '@/lib/engines/mcp/server-pool'
import { db } from '@/lib/kernel/db'
import { changed, verb } from '@/lib/kernel/verb'
import { refreshServer } from './server-pool'
import { storeTrouble } from './store-found'

const mostLines = 500

const Line = z.object({
  at: z.number(),
  from: z.enum(['toolgate', 'server', 'log']),
  text: z.string(),
})

/**
 * What came of it. `trouble` null = it was reached; `tools`: how many it defines; `toReview`: how many of them wait for a
 * person; `lines`: what passed, without what the messages hold.
 */
export const CheckOutcome = z.object({
  trouble: z.string().nullable(),
  tools: z.number(),
  toReview: z.number(),
  problems: z.array(z.string()),
  lines: z.array(Line),
})
export type CheckOutcome = z.output<typeof CheckOutcome>

export const checkServer = verb({
  name: 'server.check',
  role: 'admin',
  scope: servers.scopes.write,
  summary: 'Connects to a server anew, also when it is switched off, and reads its tools.',
  input: z.object({ id: z.string() }),
  output: CheckOutcome,
  transaction: 'later',
  run: async ({ change }, { id }): Promise<CheckOutcome> => {
    const { id: subject, name, url, command } = await requireServer(db(), id)
    const after = { name, ...(url && { url }), ...(command && { command }) }
    await change(async () => changed(undefined, { subject, after }))
    const lines: LogLine[] = []
    const onLine = (line: LogLine) => void (lines.length < mostLines && lines.push(line))
    const trouble = await refreshServer(subject, onLine).then(
      () => null,
      async (error: unknown) => {
        await storeTrouble(subject, error)
        return troubleWords(error)
      },
    )
    const { toolCount: tools, toReview, problems } = await requireServer(db(), subject)
    return { trouble, tools, toReview, problems, lines }
  },
})

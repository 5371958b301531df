import 'server-only'
import { z } from 'zod'
import { servers } from '@/lib/domains/servers/shape'
import { requireServer } from '@/lib/domains/servers/stored'
import { changed, verb } from '@/lib/edge/verb'
import { isStopped } from '@/lib/engines/mcp/server-pool'
import { type LogLine, serverErrorWords } from '@/lib/engines/mcp/transport/server-address'
import { db } from '@/lib/kernel/db'
import { isAboutAccount } from './accounts/used-account'
import { refreshServer, type Watch } from './server-pool'
import { storeServerError } from './store-found'

const mostLines = 500

/** A message that passed, without what it holds. */
export const CheckLine = z.object({
  at: z.number(),
  from: z.enum(['toolgate', 'server', 'log']),
  text: z.string(),
})
export type CheckLine = z.output<typeof CheckLine>

/**
 * Result of a check. `trouble` null: the server was reached; `tools`: number of its tools; `toReview`: number of those
 * that wait for a person; `lines`: the messages, without their contents.
 */
export const CheckOutcome = z.object({
  trouble: z.string().nullable(),
  tools: z.number(),
  toReview: z.number(),
  problems: z.array(z.string()),
  lines: z.array(CheckLine),
})
export type CheckOutcome = z.output<typeof CheckOutcome>

/** Returns the check of a server that is watched while it runs. */
export const watchedCheck = ({ onLine: tell, signal }: Partial<Watch>) =>
  verb({
    name: 'server.check',
    role: 'admin',
    scope: servers.scopes.write,
    summary: 'Connects to a server anew, also when it is switched off, and reads its tools.',
    input: z.object({ id: z.string() }),
    output: CheckOutcome,
    // A check runs the program of a server that is switched off, too.
    personsAct: async ({ id }, client) => {
      const { kind, enabled } = await requireServer(client, id)
      return kind === 'stdio' && !enabled ? 'server' : null
    },
    transaction: 'later',
    run: async ({ actor, change }, { id }): Promise<CheckOutcome> => {
      const { id: subject, name, url, command, account } = await requireServer(db(), id)
      const after = { name, ...(url && { url }), ...(command && { command }) }
      await change(async () => changed(undefined, { subject, after }))
      const lines: CheckLine[] = []
      // The connection stays open and goes on telling what passes.
      let isOver = false
      const onLine = (line: LogLine) => {
        if (isOver || lines.length >= mostLines) return
        lines.push(line)
        tell?.(line)
      }
      const problem = await refreshServer(subject, actor.userId, {
        onLine,
        ...(signal && { signal }),
      }).then(
        () => null,
        async (error: unknown) => {
          if (isStopped(error)) return 'The check was stopped.'
          // An account that one admin lacks says nothing about the server.
          if (account !== 'person' || !isAboutAccount(error)) await storeServerError(subject, error)
          return serverErrorWords(error)
        },
      )
      isOver = true
      const { toolCount: tools, toReview, problems } = await requireServer(db(), subject)
      return { trouble: problem, tools, toReview, problems, lines }
    },
  })

export const checkServer = watchedCheck({})

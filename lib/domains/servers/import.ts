import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import { db, unaudited } from '@/lib/kernel/db'
import { AppError, ValidationError } from '@/lib/kernel/errors'
import { servers } from './shape'
import { readMcpConfig } from './shared/mcp-config'
import { serverVerbs } from './verbs'

/** `id` null = it was not added; `problem` says why. `notes`: what was taken over in another way, or not. */
const Added = z.object({
  name: z.string(),
  id: z.string().nullable(),
  problem: z.string().nullable(),
  notes: z.array(z.string()),
})

/** Adds the servers of an `mcp.json`, each by itself: what cannot be added keeps no other from it. */
export const addConfigured = verb({
  name: 'server.import',
  role: 'admin',
  scope: servers.scopes.write,
  summary: 'Adds the servers of an mcp.json as Claude Desktop, Cursor and VS Code write it.',
  reason: 'optional',
  input: z.object({ text: z.string().max(1024 * 1024), names: z.array(z.string()).optional() }),
  output: z.array(Added),
  audits: ['server.create'],
  transaction: false,
  needsReauthentication: () => true,
  run: async ({ ctx, reason }, { text, names }) => {
    const found = readMcpConfig(text)
    if (typeof found === 'string') throw new ValidationError({ text: found })
    const results: z.output<typeof Added>[] = []
    for (const { problem, notes, secrets: _, includeTools, excludeTools, ...values } of found) {
      const { name } = values
      if (names && !names.includes(name)) continue
      if (problem !== null) {
        results.push({ name, id: null, problem, notes })
        continue
      }
      try {
        const { id } = await serverVerbs.create(ctx, { ...values, reason })
        if (includeTools.length + excludeTools.length > 0) {
          const client = unaudited(db(), 'the tools that the review of a new server begins with')
          await client.server.update({ where: { id }, data: { includeTools, excludeTools } })
        }
        results.push({ name, id, problem: null, notes })
      } catch (error) {
        results.push({ name, id: null, problem: refusalWords(error), notes })
      }
    }
    return results
  },
})

/** Returns why a server was refused. Rethrows what is no refusal. */
function refusalWords(error: unknown): string {
  if (error instanceof AppError && error.status < 500) return error.message
  throw error
}

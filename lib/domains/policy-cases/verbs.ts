import 'server-only'
import { resourceVerbs } from '@/lib/edge/resource-verbs'
import type { Tx } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import type { KnownNames } from '@/lib/protocol/tool-access'
import { unknownName } from '@/lib/words/nearest-name'
import { readCase, readCases } from './reads'
import { type JudgedCase, policyCases, type StoredCase } from './shape'

/** Parts of the toolset that the operations need. */
type Parts = {
  knownNames: (client: Tx) => Promise<KnownNames>
  /** Returns what the policy says about these cases now, in their order. */
  judgeCases: (client: Tx, cases: readonly StoredCase[]) => Promise<JudgedCase[]>
}

/** The most cases: all of them are asked before and after a change of the policy. */
const mostCases = 200

/** Returns the operations on policy cases. A list says of each whether it passes now. */
export function makePolicyCaseVerbs({ knownNames, judgeCases }: Parts) {
  const judged = async <C extends StoredCase>(client: Tx, cases: readonly C[]) => {
    const answers = await judgeCases(client, cases)
    const byId = new Map(answers.map((answer) => [answer.id, answer]))
    return cases.map((each) => {
      const { verdict = 'gone' as const, says = '' } = byId.get(each.id) ?? {}
      return { ...each, verdict, says }
    })
  }
  return resourceVerbs(policyCases, {
    summaries: {
      create: 'Adds a policy case: what has to be decided about one call, whatever is changed.',
      update: 'Changes a policy case. Fields that are left out stay.',
      remove: 'Deletes a policy case. Changes that would break it are no longer refused.',
      list: 'Lists the policy cases, each with what the policy decides now.',
      read: 'Returns a policy case by name or id, with what the policy decides now.',
    },
    most: mostCases,
    rows: async (client) => judged(client, await readCases(client)),
    store: {
      count: (client) => client.policyCase.count(),
      find: async (client, where) => {
        const row = await readCase(client, where)
        const [found = null] = row ? await judged(client, [row]) : []
        return found
      },
      insert: (tx, { arguments: args, ...data }) =>
        tx.policyCase.create({ data: { ...data, arguments: toJson(args) } }),
      write: (tx, id, { arguments: args, ...data }) =>
        tx.policyCase.update({
          where: { id },
          data: { ...data, ...(args && { arguments: toJson(args) }) },
        }),
      remove: ({ tx }, { id }) => tx.policyCase.delete({ where: { id } }),
    },
    check: async ({ tx }, { toolName }) => {
      if (toolName === undefined) return
      const { tools } = await knownNames(tx)
      if (!tools.has(toolName)) {
        throw new ValidationError({ toolName: unknownName('tool', toolName, tools) })
      }
    },
    listed: ({ verdict, says }) => ({ verdict, says }),
    orders: { verdict: ({ verdict }) => verdict },
  })
}

type Json = { [key: string]: string }

/** Returns arguments as Prisma takes JSON: they were parsed from it. */
function toJson(args: Readonly<Record<string, unknown>>): Json {
  return args as Json
}

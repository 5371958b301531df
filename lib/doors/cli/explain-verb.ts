import { findUser } from '@/lib/domains/users/reads'
import { explainTools } from '@/lib/toolset/explain-tools'
import { toVerdictLines } from '@/lib/toolset/to-verdict-lines'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printTable } from './print'

export type ExplainOptions = CommonOptions & {
  user?: string
  configuration?: string
  task?: string
}

/** Prints for each tool whether this person may use it with this configuration and task, and the rule that its calls wait for. */
export async function printExplanation(options: ExplainOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const own = options.user === undefined || options.user === ctx.actor.email
  const userId = own ? null : (await findUser(ctx, options.user ?? '')).id
  const { configuration = null, task = null } = options
  const tools = await explainTools(ctx, { userId, configuration, task, selected: null })
  const lines = toVerdictLines(tools)
  if (options.json) return printJson(lines)
  const notes = new Map(tools.map(({ name, approval }) => [name, approval?.words]))
  printTable(
    ['TOOL', 'DECISION'],
    lines.map(({ name, decision }) => [
      name,
      [decision, notes.get(name)].filter(Boolean).join(' '),
    ]),
  )
}

import 'server-only'
import { z } from 'zod'
import { RemainingBudget, remainingBudgets } from '@/lib/domains/budgets/remaining-budgets'
import type { ConfigurationListing } from '@/lib/domains/configurations/schemas'
import { listConfigurations, unusableReason } from '@/lib/domains/configurations/usable'
import { type Freeze, freezeSentence, showFreeze } from '@/lib/domains/settings/read-freeze'
import { verb } from '@/lib/edge/verb'
import { readRunnableTask } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { isPriced } from '@/lib/protocol/cost/cost'
import { amountWords } from '@/lib/words/format'

/** Why a run cannot start now, for people. `link`: the page that changes it, for those who may open it. */
const RunObstacle = z.object({
  reason: z.string(),
  link: z.object({ label: z.string(), href: z.string() }).nullable(),
})
export type RunObstacle = z.infer<typeof RunObstacle>

/** It only saves a vain attempt; `startRun` and the run itself decide. */
export const runObstacle = verb({
  name: 'run.obstacle',
  role: 'member',
  scope: null,
  summary:
    'Returns what prevents the caller from running with this configuration and task now; null = nothing that is known before the start.',
  input: z.object({ configuration: z.uuid().nullable(), task: z.uuid().nullable() }),
  output: RunObstacle.nullable(),
  transaction: false,
  run: async ({ ctx }, { configuration, task }) => {
    const freeze = await showFreeze(db())
    if (freeze) return frozen(freeze)
    if (task !== null && !(await isRunnable(ctx, task))) {
      return { reason: 'This task is switched off or deleted, or you may not run it.', link: null }
    }
    const configurations = await listConfigurations(ctx)
    if (configuration === null) return { reason: noneWords(configurations.length), link: null }
    const found = configurations.find(({ id }) => id === configuration)
    if (!found) return closed(ctx, configuration)
    return obstacleWith(ctx, found, await remainingBudgets(ctx, [configuration]))
  },
})

/** State that decides if a person's tasks can be run now. */
type StartState = {
  freeze: Freeze | null
  configurations: ConfigurationListing[]
  budgets: RemainingBudget[]
}

/** Reads it once for any number of tasks. */
export async function readStartState(ctx: Ctx): Promise<StartState> {
  const [freeze, configurations] = await Promise.all([showFreeze(db()), listConfigurations(ctx)])
  const budgets = await remainingBudgets(
    ctx,
    configurations.map(({ id }) => id),
  )
  return { freeze, configurations, budgets }
}

/**
 * Returns what prevents a run of a task with its configuration, which the person may use; null = nothing that is known. A
 * task without one can be run as long as one of the person's configurations can.
 */
export function taskObstacle(
  ctx: Ctx,
  { freeze, configurations, budgets }: StartState,
  configurationId: string | null,
): string | null {
  if (freeze) return frozen(freeze).reason
  const meant = configurations.filter(({ id }) => (configurationId ?? id) === id)
  const [first, ...others] = meant.map((each) => obstacleWith(ctx, each, budgets))
  if (first === undefined) return noneWords(0)
  return first === null || others.includes(null) ? null : first.reason
}

function obstacleWith(
  ctx: Ctx,
  configuration: ConfigurationListing,
  budgets: readonly RemainingBudget[],
): RunObstacle | null {
  if (configuration.fault !== null) return faulty(ctx, configuration)
  const counting = budgets.filter(
    ({ configurationId }) => configurationId === null || configurationId === configuration.id,
  )
  const full = counting.find((budget) => isFullFor(budget, configuration))
  if (full) return usedUp(ctx, full)
  const refusing = counting.find(({ refusesUnpriced }) => refusesUnpriced)
  return refusing && !isPriced(configuration.prices) ? unpriced(ctx, refusing, configuration) : null
}

function frozen(freeze: Freeze): RunObstacle {
  const reason = `${freezeSentence(freeze)} No run can start until an admin unfreezes it.`
  return { reason, link: null }
}

export const budgetsLeft = verb({
  name: 'run.budgets-left',
  role: 'member',
  scope: null,
  summary: 'Returns what is left of the budgets that count the runs of the caller.',
  input: z.object({}),
  output: z.array(RemainingBudget),
  transaction: false,
  run: async ({ ctx }) => {
    const configurations = (await listConfigurations(ctx)).map(({ id }) => id)
    return remainingBudgets(ctx, configurations)
  },
})

async function isRunnable(ctx: Ctx, task: string): Promise<boolean> {
  try {
    await readRunnableTask(ctx, { task })
    return true
  } catch (error) {
    if (error instanceof NotFoundError) return false
    throw error
  }
}

function noneWords(configurations: number): string {
  return configurations > 0
    ? 'Pick a configuration.'
    : 'There is no configuration that you may use.'
}

async function closed(ctx: Ctx, configuration: string): Promise<RunObstacle> {
  if (ctx.actor.role === 'admin') {
    const link = { label: 'Open the configuration', href: `/configurations/${configuration}` }
    return { reason: await unusableReason(ctx, configuration), link }
  }
  const reason =
    'This configuration is switched off, or you may no longer use it. Pick another one.'
  return { reason, link: null }
}

function faulty({ actor }: Ctx, { id, name, fault }: ConfigurationListing): RunObstacle {
  if (actor.role === 'admin') {
    const link = { label: 'Edit the configuration', href: `/configurations/${id}/edit` }
    return { reason: `${name} cannot run. ${fault}`, link }
  }
  return { reason: `${name} cannot run until an admin edits it. Pick another one.`, link: null }
}

/**
 * Returns whether a used-up budget blocks this configuration: not a free model, and one without a price is left to the
 * budget itself.
 */
function isFullFor({ unit, isUsedUp }: RemainingBudget, { prices }: ConfigurationListing): boolean {
  return isUsedUp && (unit !== 'micro-usd' || Boolean(prices.input || prices.output))
}

function unpriced(
  { actor }: Ctx,
  { title }: RemainingBudget,
  { modelName }: ConfigurationListing,
): RunObstacle {
  const reason = `${title} counts cost, and ${modelName} has no price. An admin can add a price.`
  const link = actor.role === 'admin' ? { label: 'Add price', href: '/models?price=missing' } : null
  return { reason, link }
}

function usedUp(
  { actor }: Ctx,
  { title, unit, amount, spent, resetsAt }: RemainingBudget,
): RunObstacle {
  const at = `${resetsAt.slice(0, 16).replace('T', ' ')} UTC`
  const figures = `Limit: ${amountWords(amount, unit)}, spent: ${amountWords(spent, unit)}.`
  const reason = `${title} used up. ${figures} It resets at ${at}.`
  if (actor.role === 'admin')
    return { reason, link: { label: 'Open the budgets', href: '/budgets' } }
  return { reason: `${reason} An admin can raise the budget.`, link: null }
}

import { type Command, InvalidArgumentError } from 'commander'
import type { ModelListing } from '@/lib/domains/models/schemas'
import { sourceWords } from '@/lib/domains/models/shape'
import type { RepricePreview } from '@/lib/domains/usage/reprice'
import { usd } from '@/lib/doors/cli/input/common-options'
import type { Ctx } from '@/lib/kernel/context'
import { priceKinds, sumWords, unpriced } from '@/lib/protocol/cost/cost'
import { LongPrompt, type Prices } from '@/lib/protocol/cost/money'
import { countOf, longPromptText, usdText } from '@/lib/words/format'
import { command } from '../command'
import { printLine } from '../print'

const reads = () => import('@/lib/domains/models/reads')
const verbs = () => import('@/lib/domains/models/price-verbs')
const preview = async (ctx: Ctx, id: string) =>
  (await import('@/lib/domains/usage/reprice')).previewReprice(ctx, { modelId: id })

const priceExample = `
Prices are US dollars per million tokens. A price you leave out is unknown; "unknown" removes one.
  toolgate model price gpt-5.4-mini --input 0.75 --cached-input 0.075 --output 4.50 --source 'price list'
  toolgate model price gpt-5.4-mini --from 2026-11-01 --input 0.60 --output 4.00 --recompute
  toolgate model price gpt-5.4-mini --from-catalogue`

/** Which of several connections' models is meant. */
export type ModelChoice = { connection?: string }
export const modelArgument = { '<model>': 'id of the model, from the provider or from Toolgate' }
export function withConnection(made: Command): Command {
  return made.option('--connection <name>', 'its connection, if several have that model')
}

/** Micro-USD for a million tokens; null = said to be unknown. */
export type GivenPrices = {
  input?: number | null
  output?: number | null
  cachedInput?: number | null
  cacheWrite?: number | null
  reasoningPrice?: number | null
  longPrompt?: LongPrompt | null
}

type PriceOptions = ModelChoice &
  GivenPrices & { from?: string; fromCatalogue?: boolean; source?: string; recompute?: boolean }

export function addModelPriceCommands(model: Command): void {
  command<PriceOptions>(model, 'price', {
    description: 'set the prices of a model from a moment on',
    args: modelArgument,
    options: (made) =>
      withPrices(withConnection(made))
        .option('--from <time>', 'valid from, such as 2026-11-01 (UTC); default: now', moment)
        .option('--from-catalogue', 'use the prices of the catalogue from now on')
        .option('--recompute', 'also recompute the cost of past runs')
        .addHelpText('after', priceExample),
    work: ({ ctx, args: [name = ''], options, isJson }) =>
      setPrices(ctx, name, { ...options, isJson }),
  })
  command<ModelChoice & { plan?: boolean }>(model, 'recompute', {
    description: 'recompute the cost of past runs at the prices valid when each started',
    args: modelArgument,
    options: (made) => withConnection(made).option('--plan', 'only show what would change'),
    work: async ({ ctx, args: [name = ''], options, isJson }) => {
      const { id } = await (await reads()).findModel(ctx, name, options.connection)
      const found = await preview(ctx, id)
      if (!isJson) printPreview(found)
      const recomputed = options.plan ? 0 : await recompute(ctx, id, isJson)
      return {
        json: { id, preview: found, recomputed },
        text: () => {
          if (!options.plan) printLine(`Recomputed ${countOf(recomputed, 'run')}.`)
        },
      }
    },
  })
}

async function setPrices(ctx: Ctx, name: string, options: PriceOptions & { isJson: boolean }) {
  const { findModel, readModel } = await reads()
  const { setModelPrice, takeFromCatalogue } = await verbs()
  const { id } = await findModel(ctx, name, options.connection)
  if (options.fromCatalogue) await takeFromCatalogue(ctx, { id, part: 'prices' })
  else {
    const { from: validFrom = null, source } = options
    await setModelPrice(ctx, { id, validFrom, prices: pricesGiven(options), source })
  }
  const { prices, history } = await readModel(ctx, { id })
  const recomputed = options.recompute ? await recompute(ctx, id, options.isJson) : null
  const { runs } = recomputed === null && !options.isJson ? await preview(ctx, id) : { runs: 0 }
  return {
    json: { id, prices, history, recomputed },
    text: () => {
      printLine(`Set the prices: ${pricesText(prices)}.`)
      if (recomputed !== null) printLine(`Recomputed ${countOf(recomputed, 'run')}.`)
      if (runs === 0) return
      printLine(
        `${countOf(runs, 'past run')} would get a different cost. To recompute: toolgate model recompute ${id}`,
      )
    },
  }
}

function printPreview(preview: RepricePreview): void {
  const { runs, calls, runsInFlight } = preview
  const before = sumWords(preview.beforeMicroUsd, preview.beforeUnpriced)
  const after = sumWords(preview.afterMicroUsd, preview.afterUnpriced)
  printLine(
    `${countOf(calls, 'call')} of ${countOf(runs, 'past run')}: their cost would be ${after} instead of ${before}.`,
  )
  if (runsInFlight > 0)
    printLine(`${countOf(runsInFlight, 'active run was', 'active runs were')} not recomputed.`)
}

/** Recomputes batch after batch. Returns the number of changed runs. */
async function recompute(ctx: Ctx, modelId: string, isJson: boolean): Promise<number> {
  const { repriceRuns } = await import('@/lib/domains/usage/reprice')
  let runs = 0
  for (let after: string | null = null, going = true; going; going = after !== null) {
    const batch = await repriceRuns(ctx, { modelId, after })
    runs += batch.runs
    after = batch.next
    if (!isJson && after !== null) printLine(`Recomputed ${countOf(runs, 'run')} so far.`)
  }
  return runs
}

export function withPrices(command: Command): Command {
  return command
    .option('--input <usd>', 'per million input tokens', usd)
    .option('--output <usd>', 'per million output tokens', usd)
    .option('--cached-input <usd>', 'per million tokens read from the cache', usd)
    .option('--cache-write <usd>', 'per million tokens written to the cache', usd)
    .option('--reasoning-price <usd>', 'per million reasoning tokens (default: output price)', usd)
    .option(
      '--long-prompt <tokens:in:out>',
      'prices of requests with more input tokens, in percent, such as 272000:200:150',
      longPrompt,
    )
    .option('--source <text>', 'source of the prices')
}

function longPrompt(text: string): LongPrompt {
  const [aboveTokens, inputPercent, outputPercent, ...more] = text.split(':').map(Number)
  const given = LongPrompt.safeParse({ aboveTokens, inputPercent, outputPercent })
  if (given.success && more.length === 0) return given.data
  throw new InvalidArgumentError(
    'Give tokens (at most 100,000,000) and two percentages from 100 to 1,000, such as 272000:200:150.',
  )
}

function moment(text: string): string {
  const time = new Date(text)
  if (!Number.isNaN(time.getTime())) return time.toISOString()
  throw new InvalidArgumentError('Give a day or a time, such as 2026-11-01 or 2026-11-01T08:00Z.')
}

/** Returns the prices. Those without an option are unknown. */
export function pricesGiven(options: GivenPrices): Prices {
  const { input, output, cachedInput, cacheWrite, reasoningPrice: reasoning } = options
  const { longPrompt } = options
  const given = { input, output, cachedInput, cacheWrite, reasoning, longPrompt }
  const known = Object.entries(given).filter(([, price]) => price !== undefined)
  return { ...unpriced, ...Object.fromEntries(known) }
}

/** Returns "confirmed (as entered or in the catalogue, not tested)", or "unconfirmed". */
export function toolsOf(model: Pick<ModelListing, 'toolCalling' | 'toolCallingSource'>): string {
  const { toolCalling, toolCallingSource: source } = model
  return source ? `${toolCalling} (${sourceWords[source]})` : toolCalling
}

/** Returns "0.75" or "unpriced". */
export function priceText(microUsd: number | null): string {
  return microUsd === null ? 'unpriced' : usdText(microUsd)
}

/** Returns "input 0.75, output 4.50". */
export function pricesText(prices: Prices): string {
  const known = priceKinds.flatMap((kind) => {
    const price = prices[kind]
    return price === null ? [] : [`${kind} ${usdText(price)}`]
  })
  if (prices.longPrompt) known.push(longPromptText(prices.longPrompt))
  return known.length > 0 ? known.join(', ') : 'unpriced'
}

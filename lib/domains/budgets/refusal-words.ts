import { noPriceWords } from '@/lib/protocol/model/model-families'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { amountWords, type BudgetUnit, usdText } from '@/lib/words/format'
import type { BudgetState } from './reserve-in-budgets'

type Asked = Pick<ModelTarget, 'modelId' | 'unpricedTier' | 'unpricedField'>

/** Returns why budgets refuse a call: which, their limit, what is spent and reserved, and when they reset (SPEC M3). */
export function refusalWords(states: readonly BudgetState[], target: Asked): string {
  const [first, ...others] = states.flatMap((state) => refusal(state, target))
  if (first === undefined) return 'A budget refused the request. Try again.'
  return [first, ...others].join(' ')
}

function refusal(state: BudgetState, target: Asked): string[] {
  const { fault, cure } = noPriceWords(target)
  switch (state.answer) {
    case 'full':
      return [fullWords(state)]
    case 'unpriced':
      return [
        `${state.title} counts cost, and ${target.modelId} ${fault}, so no request was sent. An admin can ${cure}, or change the budget so that it allows models without a price.`,
      ]
    case 'uncovered':
      return [`${state.title} could not be read. Try again.`]
    case 'held':
    case 'uncounted':
      return []
    default:
      return state.answer satisfies never
  }
}

function fullWords(state: BudgetState): string {
  const { unit, amount, spent, reserved, resetsAt } = state
  const words = figureWords(unit)
  const held = reserved > 0 ? `, reserved for requests in progress: ${words(reserved)}` : ''
  const less = unit === 'requests' ? '' : ', or lower the max output tokens of the configuration'
  return `${shortageWords(state)} Limit: ${words(amount)}, spent: ${words(spent)}${held}. The budget resets at ${utcMinute(resetsAt)}. An admin can raise the budget${less}.`
}

/**
 * Returns why a budget has no room for all members of a panel together: the sum of what they may use, and what is left. Null =
 * none is full. `answers`: those of each member, in the order in which they were reserved.
 */
export function panelRefusalWords(answers: Answers): string | null {
  const sentences = sumSentences(answers, {
    many: 'members',
    less: 'Compare fewer configurations',
  })
  return sentences && `None of the members was started. ${sentences}`
}

/** Returns the same about the tries of a suite. */
export function suiteRefusalWords(answers: Answers): string | null {
  const sentences = sumSentences(answers, { many: 'tries', less: 'Run fewer checks' })
  return sentences && `Nothing was started. ${sentences}`
}

type Answers = readonly (readonly BudgetState[])[]
type Together = { many: string; less: string }

function sumSentences(answers: Answers, words: Together): string | null {
  const full = new Set(
    answers.flat().flatMap(({ title, answer }) => (answer === 'full' ? [title] : [])),
  )
  if (full.size === 0) return null
  const sentences = [...full].map((title) => {
    const states = answers.flatMap((each) => each.filter((state) => state.title === title))
    const wanted = states.reduce((sum, state) => sum + (state.wanted ?? 0), 0)
    const [first] = states
    return first === undefined ? '' : sumWords({ ...first, wanted }, states.length, words)
  })
  return sentences.join(' ')
}

function sumWords(state: BudgetState, count: number, { many, less }: Together): string {
  const { title, unit, amount, spent, reserved, resetsAt, wanted } = state
  const words = figureWords(unit)
  const left = Math.max(0, amount - spent - reserved)
  return `${title} has ${words(left)} left, but the first requests of the ${count} ${many} that it counts may use up to ${words(wanted ?? 0)} together. Limit: ${words(amount)}, spent: ${words(spent)}. The budget resets at ${utcMinute(resetsAt)}. ${less}, or ask an admin to raise the budget.`
}

/** Returns what is left and what the next request needs; "used up" only when all is spent. */
function shortageWords({ title, unit, amount, spent, reserved, wanted }: BudgetState): string {
  const words = figureWords(unit)
  const need = `the next request may use up to ${words(wanted ?? 0)}.`
  if (spent >= amount) return `${title} used up, and ${need}`
  return `${title} has ${words(Math.max(0, amount - spent - reserved))} left, but ${need}`
}

/** Returns the words for figures down to the last micro-dollar: rounded ones could read as equal where they are not. */
function figureWords(unit: BudgetUnit): (figure: number) => string {
  return (figure) => (unit === 'micro-usd' ? `$${usdText(figure)}` : amountWords(figure, unit))
}

/** Returns a sentence about budgets that allow a model without counting its cost; null when there are none. */
export function uncountedWords(states: readonly BudgetState[], target: Asked): string | null {
  const titles = states.filter(({ answer }) => answer === 'uncounted').map(({ title }) => title)
  if (titles.length === 0) return null
  const names = titles.join(' and ')
  const count = titles.length === 1 ? 'does not count' : 'do not count'
  return `${names} ${count} the cost of ${target.modelId}, because this model ${noPriceWords(target).fault}. Budgets of tokens and requests still count its requests.`
}

/** Returns "2026-11-23 00:00 UTC". */
function utcMinute(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

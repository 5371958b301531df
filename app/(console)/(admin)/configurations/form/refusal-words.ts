import type { ModelChoice } from '@/lib/domains/configurations/list-model-choices'
import type { ReasoningEffort } from '@/lib/protocol/configuration-options'
import type { ModelParameter } from '@/lib/protocol/model-target'
import { effortWords } from '@/lib/protocol/setting-words'
import { sentEffort, takesParameter } from '@/lib/protocol/taken-parameters'

/** Which models of the chain refuse a parameter, in a sentence; null = none does. */
export function refusalWords(
  chain: readonly ModelChoice[],
  parameter: ModelParameter,
): string | null {
  const names = refusers(chain, parameter).map(({ name }) => name)
  if (names.length === 0) return null
  const verb = names.length === 1 ? 'does not accept it, so it is' : 'do not accept it, so it is'
  const where = names.length === chain.length ? 'not sent' : 'not sent there'
  return `${names.join(' and ')} ${verb} ${where}.`
}

/** Says which models get another effort than the picked one; undefined = none does. */
export function loweredWords(
  chain: readonly ModelChoice[],
  effort: '' | ReasoningEffort,
): string | undefined {
  if (effort === '') return undefined
  const changed = chain.flatMap((model) => {
    const sent = sentEffort(model, effort)
    return sent === null || sent === effort
      ? []
      : `${model.name} is asked for ${effortWords[sent].toLowerCase()}`
  })
  return changed.length > 0
    ? `Not every model takes this effort: ${changed.join(', ')}.`
    : undefined
}

/** Returns true when every picked model refuses a parameter; false while no model is picked. */
export function refusedByAll(chain: readonly ModelChoice[], parameter: ModelParameter): boolean {
  return chain.length > 0 && refusers(chain, parameter).length === chain.length
}

function refusers(chain: readonly ModelChoice[], parameter: ModelParameter): ModelChoice[] {
  return chain.filter((model) => !takesParameter(model, parameter))
}

import type { ModelChoice } from '@toolgate/server/domains/configurations/schemas'
import { sentEffort, takesParameter } from '@/lib/protocol/model/model-families'
import { effortWords, ReasoningEffort } from '@/lib/protocol/parameters/parameter-values'
import type { ParameterName } from '@/lib/protocol/parameters/parameters'

/** Returns in a sentence which models of the chain refuse a parameter; null = none does. */
export function refusalWords(
  chain: readonly ModelChoice[],
  parameter: ParameterName,
): string | null {
  const names = refusers(chain, parameter).map(({ name }) => name)
  if (names.length === 0) return null
  const verb = names.length === 1 ? 'does not accept it' : 'do not accept it'
  return `${names.join(' and ')} ${verb}: not sent.`
}

/** Says which models get another effort than the picked one; undefined = none does. */
export function loweredWords(chain: readonly ModelChoice[], picked: string): string | undefined {
  const effort = ReasoningEffort.options.find((each) => each === picked)
  if (!effort) return undefined
  const changed = chain.flatMap((model) => {
    const sent = sentEffort(model, effort)
    return sent === null || sent === effort
      ? []
      : `${model.name} is sent ${effortWords[sent].toLowerCase()} effort`
  })
  return changed.length > 0 ? `${changed.join(', ')}.` : undefined
}

/** Returns true when every picked model refuses a parameter; false while no model is picked. */
export function refusedByAll(chain: readonly ModelChoice[], parameter: ParameterName): boolean {
  return chain.length > 0 && refusers(chain, parameter).length === chain.length
}

function refusers(chain: readonly ModelChoice[], parameter: ParameterName): ModelChoice[] {
  return chain.filter((model) => !takesParameter(model, parameter))
}

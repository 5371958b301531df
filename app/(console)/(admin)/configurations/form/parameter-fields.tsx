import type { ModelChoice } from '@toolgate/server/domains/configurations/schemas'
import { takenEfforts } from '@/lib/protocol/model/model-families'
import {
  type ParameterDescriptor,
  type ParameterName,
  parameterDescriptors,
} from '@/lib/protocol/parameters/parameters'
import { formatTokens } from '@/lib/words/format'
import type { ConfigurationDraft } from './configuration-draft'
import { ParameterField } from './parameter-field'
import { loweredWords, refusedByAll } from './refusal-words'

type Props = { draft: ConfigurationDraft; chain: readonly ModelChoice[] }

/** Shows these parameters. One that no model of the chain accepts is shown only while it is set. */
export function ParameterFields({ names, ...props }: Props & { names: readonly ParameterName[] }) {
  const { chain, draft } = props
  const shown = parameterDescriptors.filter(
    ({ key }) => names.includes(key) && (draft[key] !== '' || !refusedByAll(chain, key)),
  )
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {shown.map((descriptor) => (
        <ParameterField
          key={descriptor.key}
          chain={chain}
          descriptor={withAcceptedEfforts(chain[0], descriptor, draft.reasoningEffort)}
          hint={hintFor(props, descriptor)}
        />
      ))}
    </div>
  )
}

/** Returns the descriptor with the efforts that the model takes, and the one that is picked. */
function withAcceptedEfforts(
  model: ModelChoice | undefined,
  descriptor: ParameterDescriptor,
  picked: string,
): ParameterDescriptor {
  const { key, control } = descriptor
  if (key !== 'reasoningEffort' || control.type !== 'choice' || !model) return descriptor
  const taken: readonly string[] = takenEfforts(model)
  const choices = control.choices.filter(({ text }) => taken.includes(text) || text === picked)
  return { ...descriptor, control: { ...control, choices } }
}

/** Returns what the models of the chain do with a parameter; undefined = nothing special. */
function hintFor({ chain, draft }: Props, { key }: ParameterDescriptor): string | undefined {
  if (key === 'reasoningEffort') return loweredWords(chain, draft.reasoningEffort)
  const most = key === 'maxOutputTokens' ? (chain[0]?.maxOutputTokens ?? null) : null
  return most === null ? undefined : `At most ${formatTokens(most)}.`
}

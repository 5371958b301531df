import { useState } from 'react'
import { useFormState } from 'react-hook-form'
import type { ModelChoice } from '@/lib/domains/configurations/schemas'
import { formatTokens } from '@/lib/protocol/format'
import { takenEfforts } from '@/lib/protocol/model-families'
import {
  isOptionName,
  type ParameterDescriptor,
  parameterDescriptors,
} from '@/lib/protocol/parameters'
import { type ConfigurationDraft, emptyDraft } from './configuration-draft'
import { ParameterField } from './parameter-field'
import { loweredWords, refusedByAll } from './refusal-words'

type Props = { draft: ConfigurationDraft; chain: readonly ModelChoice[] }

/**
 * Shows the parameters of every request. A parameter that no model of the chain accepts is shown only while it is set.
 */
export function ParameterFields(props: Props) {
  const { chain, draft } = props
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {shownIn(props, ({ key }) => !isOptionName(key)).map((descriptor) => (
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

/** Shows the further parameters. They are folded, with the number of set ones, until one has an error. */
export function OptionFields(props: Props) {
  const [open, setOpen] = useState(false)
  const shown = shownIn(props, ({ key }) => isOptionName(key))
  const set = shown.filter(({ key }) => props.draft[key] !== emptyDraft[key]).length
  const { errors } = useFormState()
  const isWrong = shown.some(({ key }) => key in errors)
  return (
    <details
      open={open || isWrong}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="rounded-md border bg-surface-1 px-3 py-2"
    >
      <summary className="cursor-pointer text-strong">
        Further parameters{' '}
        <span className="text-muted text-sm">{set === 0 ? 'none set' : `${set} set`}</span>
      </summary>
      <div className="grid gap-4 py-3 sm:grid-cols-2">
        {shown.map((descriptor) => (
          <ParameterField key={descriptor.key} chain={props.chain} descriptor={descriptor} />
        ))}
      </div>
    </details>
  )
}

function shownIn({ chain, draft }: Props, isOne: (descriptor: ParameterDescriptor) => boolean) {
  return parameterDescriptors.filter(
    (each) => isOne(each) && (draft[each.key] !== '' || !refusedByAll(chain, each.key)),
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
  return most === null ? undefined : `The model’s own maximum is ${formatTokens(most)}.`
}

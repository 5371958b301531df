import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import type { ModelChoice } from '@/lib/domains/configurations/list-model-choices'
import { ReasoningEffort } from '@/lib/protocol/configuration-options'
import { formatTokens } from '@/lib/protocol/format'
import type { ModelParameter } from '@/lib/protocol/model-target'
import { effortWords } from '@/lib/protocol/setting-words'
import { takenEfforts } from '@/lib/protocol/taken-parameters'
import type { DraftProps } from './configuration-draft'
import { loweredWords, refusalWords, refusedByAll } from './refusal-words'
import { TextField } from './text-field'

/** Those of a model's parameters that are fields here. */
const own = [
  'temperature',
  'topP',
  'seed',
  'reasoningEffort',
  'stop',
] as const satisfies ModelParameter[]

const byModel = 'Model’s default'

/**
 * The parameters of the model. Empty = the model's default, and nothing is sent. A parameter that no model of the chain
 * accepts is shown only while it is set.
 */
export function ParameterFields({
  chain,
  ...props
}: DraftProps & { chain: readonly ModelChoice[] }) {
  const { draft, errors, onChange } = props
  const refused = (parameter: ModelParameter, otherwise?: string) => {
    const words = refusalWords(chain, parameter)
    return words ? <span className="text-warning">{words}</span> : otherwise
  }
  const isShown = (parameter: (typeof own)[number]) =>
    draft[parameter] !== '' || !refusedByAll(chain, parameter)
  const taken = chain[0] ? takenEfforts(chain[0]) : ReasoningEffort.options
  const efforts = ReasoningEffort.options.filter(
    (each) => taken.includes(each) || each === draft.reasoningEffort,
  )
  const most = chain[0]?.maxOutputTokens ?? null
  const figure = { ...props, figure: true, placeholder: byModel }
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {isShown('temperature') && (
        <TextField
          {...figure}
          field="temperature"
          label="Temperature"
          hint={refused('temperature', '0-2. Lower values give more predictable answers.')}
        />
      )}
      {isShown('topP') && (
        <TextField
          {...figure}
          field="topP"
          label="Top-p"
          hint={refused('topP', 'Above 0, up to 1.')}
        />
      )}
      <TextField
        {...figure}
        field="maxOutputTokens"
        label="Max output tokens per answer"
        hint={most === null ? undefined : `The model’s own maximum is ${formatTokens(most)}.`}
      />
      {isShown('seed') && (
        <TextField
          {...figure}
          field="seed"
          label="Seed"
          hint={refused('seed', 'A whole number, for reproducible answers.')}
        />
      )}
      {isShown('reasoningEffort') && (
        <Field
          id="reasoningEffort"
          label="Reasoning effort"
          error={errors.reasoningEffort}
          hint={refused('reasoningEffort', loweredWords(chain, draft.reasoningEffort))}
        >
          {(control) => (
            <Select
              {...control}
              options={[
                // The select keeps "" for "nothing chosen".
                { value: 'default', label: byModel },
                ...efforts.map((value) => ({ value, label: effortWords[value] })),
              ]}
              value={draft.reasoningEffort || 'default'}
              onValueChange={(value) => {
                const effort = ReasoningEffort.options.find((each) => each === value)
                onChange({ reasoningEffort: effort ?? '' })
              }}
            />
          )}
        </Field>
      )}
      {isShown('stop') && (
        <Field
          id="stop"
          label="Stop sequences"
          optional
          error={errors.stop}
          hint={refused('stop', 'Up to 4, one per line. Write \\n for a line break.')}
        >
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              spellCheck={false}
              value={draft.stop}
              className="min-h-0 font-mono text-mono"
              onChange={(event) => onChange({ stop: event.target.value })}
            />
          )}
        </Field>
      )}
    </div>
  )
}

'use client'
import type { Changeable } from '@toolgate/server/runs/start/changeable'
import { Disclosure } from '@/components/trace/disclosure'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import { effortWords, ReasoningEffort } from '@/lib/protocol/parameters/parameter-values'
import type { OverrideName } from '@/lib/protocol/run/override-names'
import { overrideWords } from '@/lib/protocol/run/override-names'
import {
  type ChangeErrors,
  type ChangesDraft,
  changeWords,
  isChanged,
  noChanges,
} from './run-changes'

type Props = {
  /** Null = it is not known what may be changed. */
  changeable: Changeable | null
  changes: ChangesDraft | undefined
  errors: ChangeErrors | undefined
  /** True = the fields are shown without being asked for. */
  isOpen: boolean
  onChange: (changes: ChangesDraft) => void
}

/** Shows what this run has otherwise than its configuration: only what this reader may change. */
export function ChangeFields({ changeable, changes = noChanges, errors, isOpen, onChange }: Props) {
  const set = changeWords(changes)
  if (!changeable || (changeable.allowed.length === 0 && set === '')) return null
  const shown = { changeable, changes, errors, onChange }
  return (
    <section aria-label="Changes for this run" className="flex flex-col gap-2">
      <Disclosure
        summary={set === '' ? 'Changes for this run' : `Changes for this run: ${set}`}
        isOpen={isOpen || errors !== undefined}
      >
        <div className="flex flex-col gap-4">
          <p className="text-muted">Empty fields are as in the configuration.</p>
          <ModelChange {...shown} />
          <PromptChange {...shown} />
          <FigureChange
            {...shown}
            name="temperature"
            field="temperature"
            hint="0-2, or default for the model’s own."
          />
          <EffortChange {...shown} />
          <FigureChange
            {...shown}
            name="output-limit"
            field="maxOutputTokens"
            hint="Per answer, or default for the model’s own."
          />
          {set !== '' && (
            <Button size="sm" className="self-start" onClick={() => onChange(noChanges)}>
              Remove the changes
            </Button>
          )}
        </div>
      </Disclosure>
    </section>
  )
}

type Shown = Omit<Props, 'changeable' | 'changes' | 'isOpen'> & {
  changeable: Changeable
  changes: ChangesDraft
}

const asConfigured = 'as-configured'

/** Returns whether a field is shown: also one that is set and may not be, so that it can be emptied. */
function isShown({ changeable, changes }: Shown, name: OverrideName) {
  return changeable.allowed.includes(name) || isChanged(changes, name)
}

function ModelChange(props: Shown) {
  const { changeable, changes, errors, onChange } = props
  if (!isShown(props, 'model')) return null
  const known = changeable.models.some(({ id }) => id === changes.model)
  const options = [
    { value: asConfigured, label: `${changeable.modelName} (from the configuration)` },
    ...changeable.models
      .filter(({ id }) => id !== changeable.now.model)
      .map(({ id, name, connectionName }) => ({ value: id, label: name, hint: connectionName })),
    ...(changes.model !== '' && !known
      ? [{ value: changes.model, label: 'Not yours to pick', disabled: true }]
      : []),
  ]
  return (
    <Field
      id="change-model"
      label={overrideWords.model}
      hint="Runs without the configuration’s fallback models."
      error={errors?.model}
    >
      {(field) => (
        <Select
          {...field}
          options={options}
          value={changes.model || asConfigured}
          onValueChange={(model) =>
            onChange({ ...changes, model: model === asConfigured ? '' : model })
          }
        />
      )}
    </Field>
  )
}

function PromptChange(props: Shown) {
  const { changeable, changes, errors, onChange } = props
  if (!isShown(props, 'system-prompt')) return null
  const own = changeable.now.systemPrompt
  const { systemPrompt, withoutSystemPrompt: isLeftOut } = changes
  return (
    <Field
      id="change-system-prompt"
      label={overrideWords['system-prompt']}
      error={errors?.systemPrompt}
    >
      {(field) => (
        <div className="flex flex-col gap-2">
          <Textarea
            {...field}
            rows={systemPrompt === '' || isLeftOut ? 3 : 8}
            disabled={isLeftOut}
            placeholder={isLeftOut ? 'None for this run' : own || 'None in the configuration'}
            value={isLeftOut ? '' : systemPrompt}
            onChange={(event) => onChange({ ...changes, systemPrompt: event.target.value })}
          />
          {systemPrompt === '' && own !== '' && !isLeftOut && (
            <Button
              size="sm"
              className="self-start"
              onClick={() => onChange({ ...changes, systemPrompt: own })}
            >
              Edit its prompt
            </Button>
          )}
          {(own !== '' || isLeftOut) && (
            <label
              htmlFor="change-no-system-prompt"
              className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11"
            >
              <Checkbox
                id="change-no-system-prompt"
                checked={isLeftOut}
                onCheckedChange={(on) => onChange({ ...changes, withoutSystemPrompt: on })}
              />
              Without a system prompt
            </label>
          )}
        </div>
      )}
    </Field>
  )
}

function FigureChange({
  name,
  field,
  hint,
  ...props
}: Shown & {
  name: OverrideName
  field: 'temperature' | 'maxOutputTokens'
  hint: string
}) {
  const { changeable, changes, errors, onChange } = props
  if (!isShown(props, name)) return null
  const own = changeable.now[field]
  return (
    <Field id={`change-${name}`} label={overrideWords[name]} hint={hint} error={errors?.[field]}>
      {(control) => (
        <Input
          {...control}
          inputMode={field === 'temperature' ? 'decimal' : 'numeric'}
          autoComplete="off"
          className="numeric w-36"
          placeholder={own === null ? 'Model’s default' : String(own)}
          value={changes[field]}
          onChange={(event) => onChange({ ...changes, [field]: event.target.value })}
        />
      )}
    </Field>
  )
}

function EffortChange(props: Shown) {
  const { changeable, changes, errors, onChange } = props
  if (!isShown(props, 'effort')) return null
  const own = changeable.now.reasoningEffort
  const options = [
    {
      value: asConfigured,
      label: `${own === null ? 'Model’s default' : effortWords[own]} (from the configuration)`,
    },
    ...(own === null ? [] : [{ value: 'default', label: 'Model’s default' }]),
    ...ReasoningEffort.options.map((value) => ({ value, label: effortWords[value] })),
  ]
  return (
    <Field id="change-effort" label={overrideWords.effort} error={errors?.reasoningEffort}>
      {(field) => (
        <Select
          {...field}
          options={options}
          value={changes.reasoningEffort || asConfigured}
          onValueChange={(effort) =>
            onChange({ ...changes, reasoningEffort: effort === asConfigured ? '' : effort })
          }
        />
      )}
    </Field>
  )
}

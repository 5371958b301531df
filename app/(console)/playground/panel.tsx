import type { ConfigurationListing } from '@toolgate/server/domains/configurations/schemas'
import type { RunnableTask, TaskChoice } from '@toolgate/server/domains/tasks/schemas'
import type { Changeable } from '@toolgate/server/runs/start/changeable'
import { SchemaField } from '@/components/forms/schema-field'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { costCapModeWords } from '@/lib/protocol/cost/cost-cap-words'
import type { Role } from '@/lib/protocol/tool'
import { countOf } from '@/lib/words/format'
import { ChangeFields } from './change-fields'
import { ConfigurationPicker } from './configuration-picker'
import type { CostCapDraft, RunDraft, RunDraftErrors } from './run-draft'
import { SidePanel } from './side-panel'
import { TaskPicker } from './task-picker'
import { ToolPicker } from './tool-picker'
import { type PickableTool, selectionSize } from './tool-selection'

type Props = {
  open: boolean
  onToggle: () => void
  role: Role
  userId: string
  tasks: TaskChoice[]
  configurations: ConfigurationListing[]
  chosen: ConfigurationListing | null
  tools: PickableTool[]
  pending: boolean
  problem: string | null
  draft: RunDraft
  errors: RunDraftErrors
  most: number
  /** Settings that this reader may change for a single run; null: not known. */
  changeable: Changeable | null
  onChange: (part: Partial<RunDraft>) => void
  onTask: (task: RunnableTask | null) => void
  /** Compares configurations; null = not with what is in the form. */
  onCompare: (() => void) | null
}

/** Shows the settings of a run: at the side on wide screens, folded to one line on narrow ones. */
export function Panel({ open, onToggle, chosen, tools, draft, errors, onChange, ...rest }: Props) {
  const picked = selectionSize(tools, draft.picked).picked
  const pickers = (
    <>
      <TaskPicker tasks={rest.tasks} chosen={draft.task} onChoose={rest.onTask} />
      <ConfigurationPicker
        configurations={rest.configurations}
        chosen={chosen}
        error={errors.configuration}
        onChoose={(configurationId) => onChange({ configurationId })}
        onCompare={rest.onCompare}
      />
    </>
  )
  const { panel = null } = draft.task ?? {}
  if (panel !== null)
    return (
      <SidePanel
        open={open}
        onToggle={onToggle}
        line={`${chosen?.name ?? 'No configuration'}, ${countOf(panel.tools.length, 'tool')}`}
      >
        {pickers}
        <p className="text-muted text-sm">
          {panel.kind === 'coordinate'
            ? 'For roles without a configuration. The task sets the rest.'
            : 'The task sets the configurations, tools and limits.'}
        </p>
      </SidePanel>
    )
  return (
    <SidePanel
      open={open}
      onToggle={onToggle}
      line={`${chosen?.name ?? 'No configuration'}, ${countOf(picked, 'tool')}`}
    >
      {pickers}
      <ChangeFields
        changeable={rest.changeable}
        changes={draft.changes}
        errors={errors.changes}
        isOpen={draft.changedFrom != null}
        onChange={(changes) => onChange({ changes })}
      />
      <ToolPicker
        tools={tools}
        pending={rest.pending}
        problem={rest.problem}
        picked={draft.picked}
        role={rest.role}
        about={{
          configurationId: chosen?.id ?? null,
          userId: rest.userId,
          taskId: draft.task?.id ?? null,
        }}
        onPick={(picked) => onChange({ picked })}
      />
      <RoundLimit
        value={draft.maxRounds}
        standard={chosen?.maxRounds ?? null}
        most={rest.most}
        error={errors.maxRounds}
        onChange={(maxRounds) => onChange({ maxRounds })}
      />
      <CostCapField
        id="cost-cap"
        label="Cost cap (USD)"
        hint="Includes earlier turns. Leave empty for the configuration’s cap."
        value={draft}
        error={errors.costCap}
        onChange={onChange}
      />
      <AnswerSchemaField
        id="output-schema"
        hint={`Replaces the ${draft.task?.outputSchema ? 'task' : 'configuration'}’s schema.`}
        text={draft.outputSchema ?? ''}
        error={errors.outputSchema}
        onType={(outputSchema) => onChange({ outputSchema })}
      />
    </SidePanel>
  )
}

/** Shows the field for the maximum rounds of this run. Empty = the configuration's value. */
function RoundLimit({
  value,
  onChange,
  standard,
  most,
  error,
}: {
  value: string
  onChange: (value: string) => void
  standard: number | null
  most: number
  error?: string
}) {
  return (
    <Field
      id="max-rounds"
      label="Maximum rounds"
      hint={
        standard === null
          ? undefined
          : `1-${most}. Leave empty for ${standard} (from the configuration).`
      }
      error={error}
    >
      {(control) => (
        <Input
          {...control}
          type="number"
          inputMode="numeric"
          min={1}
          max={most}
          step={1}
          className="w-24"
          placeholder={standard === null ? undefined : String(standard)}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

/** Shows the field for the JSON Schema that answers must fit. Empty = as the configuration says. */
export function AnswerSchemaField({
  id,
  hint,
  text,
  error,
  onType,
}: {
  id: string
  hint: string
  text: string
  error?: string | undefined
  onType: (text: string) => void
}) {
  return (
    <Field id={id} label="Answer schema" optional hint={hint} error={error}>
      {(field) => <SchemaField field={field} text={text} onType={onType} />}
    </Field>
  )
}

const modes = [
  { value: 'warn', label: costCapModeWords.warn },
  { value: 'enforce', label: costCapModeWords.enforce },
]

/** Shows the field of a cost cap, and what happens when it is reached. Empty = none. */
export function CostCapField({
  id,
  label,
  hint,
  value,
  error,
  onChange,
}: {
  id: string
  label: string
  hint: string
  value: CostCapDraft
  error?: string | undefined
  onChange: (part: Partial<CostCapDraft>) => void
}) {
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      {(control) => (
        <div className="flex gap-2">
          <Input
            {...control}
            inputMode="decimal"
            autoComplete="off"
            className="numeric w-24"
            placeholder="0.50"
            value={value.costCap}
            onChange={(event) => onChange({ costCap: event.target.value })}
          />
          <Select
            aria-label="When it is reached"
            className="w-52"
            options={modes}
            value={value.costCapMode}
            onValueChange={(mode) =>
              onChange({ costCapMode: mode === 'enforce' ? 'enforce' : 'warn' })
            }
          />
        </div>
      )}
    </Field>
  )
}
